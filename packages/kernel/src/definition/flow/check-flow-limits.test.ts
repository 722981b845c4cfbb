import type { FlowNode } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import {
  CACHE_TTL_MS_MAX,
  CONCURRENCY_DEFAULT,
  FAN_OUT_MAX,
  NODE_TRIES_MAX,
  OUTPUT_PREVIEW_BYTES_MAX,
  QUESTION_WITHIN_MS_MAX,
  REPEAT_ROUNDS_MAX,
  RETRY_CAP_MS_DEFAULT,
  RETRY_WAIT_MS_DEFAULT,
  RETRY_WAIT_MS_MAX,
  SPREAD_MAX,
  TIMEOUT_MS_MAX,
  TRANSITIONS_DEFAULT,
  TRANSITIONS_MAX,
  WAIT_MS_DEFAULT,
} from "../../limits.ts";
import { callNode, checkedOf, mendsOf, refusalsOf, warningsOf } from "./check-flow.test.data.ts";

import { TRIES_DEFAULT } from "./check-retry.ts";

const leaf = callNode("a");
const each = { kind: "forEach", items: "$.input", body: leaf } as const;
const twice = { kind: "parallel", branches: [leaf, leaf] } as const;

describe("a number is taken at its maximum and refused past it:", () => {
  const limits: [string, number, string, (value: number) => FlowNode][] = [
    ["FAN_OUT_MAX of a list", FAN_OUT_MAX, "max", (max) => ({ ...each, max })],
    ["SPREAD_MAX", SPREAD_MAX, "max", (max) => ({ ...each, max, spread: "runs" })],
    [
      "FAN_OUT_MAX at once",
      FAN_OUT_MAX,
      "concurrency",
      (concurrency) => ({ ...twice, concurrency }),
    ],
    [
      "REPEAT_ROUNDS_MAX",
      REPEAT_ROUNDS_MAX,
      "max",
      (max) => ({ kind: "repeat", until: "true", max, body: leaf }),
    ],
    [
      "TRANSITIONS_MAX",
      TRANSITIONS_MAX,
      "maxTransitions",
      (maxTransitions) => ({
        ...{ kind: "machine", initial: "done", maxTransitions },
        states: { done: { terminal: true } },
      }),
    ],
    [
      "NODE_TRIES_MAX",
      NODE_TRIES_MAX,
      "retry/max",
      (max) => ({ ...leaf, retry: { strategy: "fixed", max } }),
    ],
    [
      "RETRY_WAIT_MS_MAX of a delay",
      RETRY_WAIT_MS_MAX,
      "retry/delayMs",
      (delayMs) => ({ ...leaf, retry: { strategy: "fixed", delayMs } }),
    ],
    [
      "RETRY_WAIT_MS_MAX of the longest",
      RETRY_WAIT_MS_MAX,
      "retry/capMs",
      (capMs) => ({ ...leaf, retry: { strategy: "exponential", capMs } }),
    ],
    [
      "QUESTION_WITHIN_MS_MAX",
      QUESTION_WITHIN_MS_MAX,
      "withinMs",
      (withinMs) => ({ kind: "wait", for: { signal: "go" }, withinMs }),
    ],
    ["TIMEOUT_MS_MAX", TIMEOUT_MS_MAX, "timeoutMs", (timeoutMs) => ({ ...leaf, timeoutMs })],
    [
      "OUTPUT_PREVIEW_BYTES_MAX",
      OUTPUT_PREVIEW_BYTES_MAX,
      "preview",
      (preview) => ({ ...leaf, preview }),
    ],
    [
      "CACHE_TTL_MS_MAX",
      CACHE_TTL_MS_MAX,
      "cache/ttlMs",
      (ttlMs) => ({ ...leaf, cache: { strategy: "ephemeral", ttlMs } }),
    ],
  ];
  test.each(limits)("%s", (_, most, field, flow) => {
    expect(refusalsOf(flow(most))).toEqual([]);
    expect(refusalsOf(flow(most + 1))).toEqual([
      `flow-limit /flow/${field}: ${most + 1} is more than ${most}`,
    ]);
  });
});

test("a list that is too wide for one turn may be spread", () => {
  expect(mendsOf({ ...each, max: FAN_OUT_MAX + 1 })).toEqual([
    "write at most 256, or `spread: runs`: each item is a run then",
  ]);
});

describe("of a fan-out", () => {
  const fits: [string, FlowNode][] = [
    ["all of a quorum may succeed", { ...twice, join: { quorum: 2 } }],
    ["all may fail where that is borne", { ...twice, tolerate: { count: 2 } }],
    ["a share may fail", { ...each, max: 10, tolerate: { percent: 100 } }],
    ["a quorum is as large as the list may be", { ...each, max: 3, join: { quorum: 3 } }],
    ["as many are given as there may be", { ...each, items: { const: [1, 2] }, max: 2 }],
  ];
  test.each(fits)("%s", (_, flow) => {
    expect(refusalsOf(flow)).toEqual([]);
  });

  const misfits: [string, FlowNode, string][] = [
    [
      "a quorum is no larger than the branches",
      { ...twice, join: { quorum: 3 } },
      "/flow/join: of 2 never 3 succeed",
    ],
    [
      "a quorum is no larger than the list may be",
      { ...each, max: 3, join: { quorum: 4 } },
      "/flow/join: of 3 never 4 succeed",
    ],
    [
      "no more are borne than there are",
      { ...twice, tolerate: { count: 3 } },
      "/flow/tolerate: of 2 never 3 fail",
    ],
    [
      "none are borne where one is enough",
      { ...twice, join: "any", tolerate: { count: 1 } },
      "/flow/tolerate: `tolerate` is for what all have to do",
    ],
    [
      "no more are given than there may be",
      { ...each, items: { const: [1, 2, 3] }, max: 2 },
      "/flow/items: 3 items are given, and there may be 2",
    ],
  ];
  test.each(misfits)("%s", (_, flow, refusal) => {
    expect(refusalsOf(flow)).toEqual([`flow-unfit ${refusal}`]);
  });

  test.each([
    ["all", { ...twice }, "halt"],
    ["any", { ...twice, join: "any" }, "continue"],
    ["all that says", { ...twice, onItemError: "continue" }, "continue"],
  ])("what an error does is filled in: %s", (_, flow, onItemError) => {
    expect(checkedOf(flow).flow).toMatchObject({ onItemError, concurrency: 8 });
  });
});

describe("of a retry", () => {
  test.each([
    ["immediate", { max: 3, delayMs: 0, capMs: 60_000 }],
    ["fixed", { max: 3, delayMs: 1_000, capMs: 60_000 }],
    ["exponential", { max: 5, delayMs: 1_000, capMs: 60_000 }],
  ])("what is left out is filled in: %s", (strategy, filled) => {
    const on = new Set(["TOOL_FAILED", "BACKEND_FAILED", "CHILD_FAILED", "TIMEOUT"]);
    expect(checkedOf({ ...leaf, retry: { strategy } }).flow?.retry).toEqual({
      ...{ strategy, hasJitter: false, on },
      ...filled,
    });
  });

  test("a delay beyond the usual longest is the longest", () => {
    const retry = { strategy: "exponential", delayMs: 90_000 };
    expect(checkedOf({ ...leaf, retry }).flow?.retry).toMatchObject({ capMs: 90_000 });
  });

  test("the first delay is not longer than the longest", () => {
    const retry = { strategy: "exponential", delayMs: 5, capMs: 4 };
    expect(refusalsOf({ ...leaf, retry })).toEqual([
      "flow-unfit /flow/retry/delayMs: the first delay, 5, is longer than the longest, 4",
    ]);
  });

  test("a delay of what is tried again at once is doubted", () => {
    expect(warningsOf({ ...leaf, retry: { strategy: "immediate", delayMs: 5 } })).toEqual([
      "flow-unfit /flow/retry: who tries again immediately waits for nothing",
    ]);
  });

  test.each(["CANCELLED", "BUDGET_EXCEEDED"])("%s is never tried again", (code) => {
    const [refusal] = refusalsOf({ ...leaf, retry: { strategy: "fixed", on: [code] } });
    expect(refusal).toMatch(/^field-type \/flow\/retry\/on: /);
  });
});

test("what is not critical is not what the flow goes on with as an error", () => {
  expect(refusalsOf({ ...leaf, critical: false, onError: "skip" })).toEqual([]);
  expect(refusalsOf({ ...leaf, critical: false, onError: "continue" })).toEqual([
    "flow-unfit /flow/onError: what is not critical is skipped when it failed, and this says `continue`",
  ]);
});

test("what a flow does not say is filled in with the number that is named for it", () => {
  const retry = checkedOf({ ...leaf, retry: { strategy: "fixed" } }).flow?.retry;
  const filled = { delayMs: RETRY_WAIT_MS_DEFAULT, capMs: RETRY_CAP_MS_DEFAULT };
  expect(retry).toMatchObject({ max: TRIES_DEFAULT.fixed, ...filled });
  expect(checkedOf(twice).flow).toMatchObject({ concurrency: CONCURRENCY_DEFAULT });
  const machine = { kind: "machine", initial: "done", states: { done: { terminal: true } } };
  expect(checkedOf(machine).flow).toMatchObject({ maxTransitions: TRANSITIONS_DEFAULT });
  const wait = { kind: "wait", for: { signal: "go" } };
  expect(checkedOf(wait).flow).toMatchObject({ withinMs: WAIT_MS_DEFAULT });
});
