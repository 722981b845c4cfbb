import { FLOW_NODES_MAX, type StateSpec } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { callNode, mendsOf, refusalsOf, warningsOf } from "./check-flow.test.data.ts";

const machine = (states: Record<string, StateSpec>, initial = "draft") => ({
  kind: "machine",
  initial,
  states,
});
const to = (...next: string[]): StateSpec => ({
  body: callNode("a"),
  transitions: next.map((one, index) =>
    index === next.length - 1 ? { next: one } : { when: "last == 1", next: one },
  ),
});
const done: StateSpec = { terminal: true };

describe("a machine is taken", () => {
  test.each([
    ["that ends", machine({ draft: to("done"), done })],
    ["that goes round", machine({ draft: to("draft", "check"), check: to("draft", "done"), done })],
    ["of one state", machine({ draft: done })],
    ["with odd names", machine({ "a/b": to("c~d"), "c~d": done }, "a/b")],
  ])("%s", (_, flow) => {
    expect(refusalsOf(flow)).toEqual([]);
    expect(warningsOf(flow)).toEqual([]);
  });
});

describe("a machine is refused", () => {
  test.each([
    [
      "that begins nowhere",
      machine({ draft: to("done"), done }, "darft"),
      ["flow-state /flow/initial: there is no state `darft`"],
    ],
    [
      "that leads nowhere",
      machine({ draft: to("doen", "done"), done }),
      ["flow-state /flow/states/draft/transitions/0/next: there is no state `doen`"],
    ],
    [
      "that stops without an end",
      machine({ draft: to("check", "done"), check: {}, done }),
      ["flow-state /flow/states/check: nothing leads on from `check`, and it is not terminal"],
    ],
    [
      "that never ends",
      machine({ draft: to("check"), check: to("draft"), done }),
      ["flow-state /flow/states: from `draft` no terminal state can be reached"],
    ],
    [
      "with an odd name, by its escaped path",
      machine({ draft: to("done", "a/b"), "a/b": {}, done }),
      ["flow-state /flow/states/a~1b: nothing leads on from `a/b`, and it is not terminal"],
    ],
    [
      "whose state has the name of what objects inherit",
      machine({ draft: to("toString", "done"), done }),
      ["flow-state /flow/states/draft/transitions/0/next: there is no state `toString`"],
    ],
  ])("%s", (_, flow, refusals) => {
    expect(refusalsOf(flow)).toEqual(refusals);
  });

  test("and told what was probably meant", () => {
    expect(mendsOf(machine({ draft: to("doen"), done }))).toContain("write `done`");
    expect(mendsOf(machine({ draft: to("elsewhere"), done }))).toContain("name one of done, draft");
  });
});

describe("of a machine is doubted", () => {
  test.each([
    [
      "a state that is never reached",
      machine({ draft: to("done"), lost: to("done"), done }),
      "flow-state /flow/states/lost: `lost` is never reached from `draft`",
    ],
    [
      "a way on from its end",
      machine({ draft: to("done"), done: { ...to("draft"), terminal: true } }),
      "flow-state /flow/states/done/transitions: the machine ends in `done`: none of its transitions is ever taken",
    ],
    [
      "a way that another always hides",
      machine({ draft: { transitions: [{ next: "done" }, { next: "draft" }] }, done }),
      "flow-state /flow/states/draft/transitions/1: the transition before it has no condition and is always taken",
    ],
  ])("%s", (_, flow, warning) => {
    expect(warningsOf(flow)).toEqual([warning]);
  });
});

test("a machine has FLOW_NODES_MAX states, and not one more", () => {
  const states = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, done]));
  const only = (count: number) => machine({ draft: done, ...states(count - 1) });
  expect(refusalsOf(only(FLOW_NODES_MAX))).toEqual([]);
  expect(refusalsOf(only(FLOW_NODES_MAX + 1))).toEqual([
    "flow-limit /flow/states: more than 256 states",
  ]);
});
