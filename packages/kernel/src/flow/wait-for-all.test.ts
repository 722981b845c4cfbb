import { expect, test } from "vitest";
import type { Paused } from "../outcome.ts";
import { waitForAll } from "./wait-for-all.ts";

const paused = (fields: Omit<Paused, "kind">): Paused => ({ kind: "paused", ...fields });
const asked = paused({ isAsked: true, untilMs: 50 });
const timed = paused({ untilMs: 70 });
const signalled = paused({ signals: ["b", "a"], untilMs: 90 });

test.each([
  ["nothing to wait for", [], {}],
  ["one for a person", [asked], { isAsked: true, untilMs: 50 }],
  ["two for a time", [timed, paused({ untilMs: 60 })], { untilMs: 60 }],
  ["a person and a time", [asked, timed], { isAsked: true, untilMs: 50, wakesMs: 70 }],
  ["a signal and a time", [signalled, timed], { signals: ["a", "b"], untilMs: 70, wakesMs: 70 }],
  ["a signal alone", [signalled], { signals: ["a", "b"], untilMs: 90 }],
  ["those behind others in line", [paused({}), timed], { untilMs: 70 }],
] as const)("%s", (_, results, expected) => {
  expect(waitForAll([...results, { kind: "stopped" }])).toEqual({ kind: "paused", ...expected });
});

test("those that are joined are joined again, and lose nothing", () => {
  const inner = waitForAll([asked, timed]);
  expect(waitForAll([inner, signalled])).toEqual({
    ...{ kind: "paused", isAsked: true, untilMs: 50, wakesMs: 70 },
    signals: ["a", "b"],
  });
  const run = paused({ isAsked: true, isHanded: true });
  expect(waitForAll([run, inner])).toEqual({ ...inner, isHanded: true });
});

test("what is blocked is blocked, whatever is waited for beside it", () => {
  const block = { cause: "paused", what: "tool x" } as const;
  expect(waitForAll([timed, paused({ block })])).toEqual({ kind: "paused", untilMs: 70, block });
});
