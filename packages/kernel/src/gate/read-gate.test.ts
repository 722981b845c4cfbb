import { manualClock, seededIds } from "@turnseal/ports";
import { ASK_REASONS, RUN_REASONS } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { bindTools } from "../actions/bind-tools.ts";
import { createExecutor } from "../call/executor.ts";
import { openWorld, toolLoop } from "../call/sample-world.test.data.ts";
import { readGate } from "./read-gate.ts";

const blocked = { kind: "blocked" };

describe("what a tool says of itself", () => {
  test("is taken as it is where it can be read", () => {
    for (const why of RUN_REASONS)
      expect(readGate(() => ({ kind: "run", why, description: "?" }))).toEqual({
        kind: "run",
        why,
      });
    for (const why of ASK_REASONS) {
      const ask = { kind: "ask", why, description: "Do it?" };
      expect(readGate(() => ({ ...ask, more: 1 }))).toEqual(ask);
    }
    expect(readGate(() => blocked)).toEqual(blocked);
    expect(readGate(undefined)).toBeUndefined();
  });

  test.each<[string, () => unknown]>([
    ["an exception", () => JSON.parse("{")],
    ["nothing", () => undefined],
    ["a promise", async () => ({ kind: "run", why: "not-needed" })],
    ["another kind", () => ({ kind: "allow", why: "not-needed" })],
    ["no reason", () => ({ kind: "run" })],
    ["a reason to ask", () => ({ kind: "run", why: "tool-asks" })],
    ["a reason to run", () => ({ kind: "ask", why: "not-needed", description: "Do it?" })],
    ["no description", () => ({ kind: "ask", why: "tool-asks" })],
    [
      "a getter that throws",
      () => ({
        get kind() {
          throw new Error("no");
        },
      }),
    ],
  ])("is a no where it is %s", (_, gate) => {
    expect(readGate(gate)).toEqual(blocked);
  });
});

describe("outside a run", () => {
  const call = async (gate: () => unknown) => {
    const { registry } = openWorld({ loops: [toolLoop("act")] });
    let acts = 0;
    const run = () => {
      acts += 1;
      return acts;
    };
    const executor = createExecutor({
      ...{ registry, clock: manualClock(), ids: seededIds("gate") },
      tools: bindTools({
        "local.act": { run, gate: gate as () => typeof blocked & { kind: "blocked" } },
      }),
    });
    const result = await executor.call("act", {});
    return { acts, denial: result.status === "error" ? result.error.details.denial : undefined };
  };

  test.each<[string, () => unknown, object]>([
    [
      "nobody could be asked",
      () => ({ kind: "ask", why: "tool-asks", description: "?" }),
      { acts: 0, denial: "run-missing" },
    ],
    ["what is blocked is blocked", () => blocked, { acts: 0, denial: "tool-blocked" }],
    ["what may run runs", () => ({ kind: "run", why: "read-only" }), { acts: 1 }],
  ])("%s", async (_, gate, expected) => {
    expect(await call(gate)).toEqual(expected);
  });
});
