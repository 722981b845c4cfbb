import { anything, assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDelta } from "../session/apply-delta.ts";
import { conversation, generationId, run } from "../session/sample-envelopes.test.data.ts";
import { emptySession } from "../session/session-state.ts";
import { parseFrame, REQUESTS_MAX } from "./parse-frame.ts";

function parse(event: string, value: unknown) {
  return parseFrame({ event, data: JSON.stringify(value) });
}

const delta = { generationId, message: "a.0", kind: "text", epoch: 1, offset: 0, text: "x" };
const request = { kind: "approval", id: "a", name: "local.pay", generationId, message: "b" };
const state = { status: "waiting", requests: [request], sequence: 4 };

describe("what the server sends", () => {
  test("is taken", () => {
    const [event] = conversation;
    expect(parse("event", event)).toEqual({ kind: "event", event });
    expect(parse("delta", delta)).toEqual({ kind: "delta", delta });
    expect(parse("state", state)).toEqual({ kind: "state", status: state });
  });
});

describe("what is not one of ours is nothing", () => {
  test.each([
    ["event", { ...conversation[0], type: "system-message" }],
    ["event", { ...conversation[0], content: { text: 1 } }],
    ["event", { ...conversation[0], more: 1 }],
    ["event", { ...conversation[0], id: `${run}/99.0` }],
    ["delta", { ...delta, offset: -1 }],
    ["delta", { ...delta, epoch: 1.5 }],
    ["delta", { ...delta, kind: "html" }],
    ["delta", { ...delta, message: { toString: "x" } }],
    ["state", { ...state, status: "hacked" }],
    ["state", { ...state, requests: "all" }],
    ["message", conversation[0]],
    ["event", null],
    ["event", []],
  ])("%s %j", (name, value) => {
    expect(parse(name, value)).toBeUndefined();
  });

  test("and never throws, whatever it is", () => {
    const names = constantFrom("event", "delta", "state", "__proto__", undefined);
    assert(
      property(names, string(), anything(), (event, text, value) => {
        const json = JSON.stringify(value, (_, inner) =>
          typeof inner === "bigint" ? `${inner}` : inner,
        );
        for (const data of [text, json ?? "", `${json}`.slice(1)]) {
          const frame = parseFrame({ event, data });
          if (frame?.kind === "delta") applyDelta(emptySession(run), frame.delta);
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("a request that cannot be one is left out of the others", () => {
    const requests = [{ kind: "approval", id: "a" }, { ...request, kind: "x" }, null, request];
    expect(parse("state", { status: "waiting", requests })).toEqual({
      kind: "state",
      status: { status: "waiting", requests: [request] },
    });
  });
});

test.each([
  [REQUESTS_MAX, REQUESTS_MAX],
  [REQUESTS_MAX + 1, REQUESTS_MAX],
])("of %i requests %i are kept: REQUESTS_MAX", (given, kept) => {
  const requests = Array.from({ length: given }, (_, at) => ({ ...request, id: `${at}` }));
  expect(parse("state", { status: "waiting", requests })).toMatchObject({
    status: { requests: { length: kept } },
  });
});
