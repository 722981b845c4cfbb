import { describe, expect, test } from "vitest";
import { createTally } from "../simulate/tally.ts";
import { compareEnds } from "./compare-ends.ts";
import type { RunEnd } from "./describe-run.ts";

const end: RunEnd = {
  ...{ stopped: "goal-reached", turns: ["completed  1"], nodes: ["1 /flow ok"] },
  ...{ isLeft: false, tried: [], withdrawn: [] },
  firstErrors: new Map(),
};
const racing: RunEnd = { ...end, nodes: undefined };
const failed: RunEnd = { ...racing, stopped: "failed", turns: ["failed  null", "failed  null"] };
const denied: RunEnd = { ...racing, stopped: "denied", turns: ["denied  null"] };
const left: RunEnd = {
  ...racing,
  ...{ stopped: "effect-unknown", turns: ["failed  null"], isLeft: true },
};
const compare = (one: RunEnd, other: RunEnd) => compareEnds([one, other], createTally());

describe("what is the same", () => {
  test.each([
    ["two that are", end, end, "none"],
    ["two whose items were withdrawn somewhere", racing, { ...end }, "items"],
    ["one that is denied before others have won", denied, racing, "items"],
    ["one that begins no other turn", failed, left, "items"],
    [
      "one whose fan-out another item ended",
      { ...racing, firstErrors: new Map([["1 /flow", "TIMEOUT"]]) },
      { ...racing, turns: ["completed  2"], firstErrors: new Map([["1 /flow", "TOOL_FAILED"]]) },
      "follows",
    ],
    [
      "one that tries no node again in which an effect was left open",
      { ...racing, tried: [["1 /flow/nodes/0", 2]] },
      { ...failed, turns: ["failed  null"], withdrawn: ["1 /flow/nodes/0/items/1"] },
      "follows",
    ],
  ] as const)("%s", (_name, one, other, chance) => {
    expect(compare(one, other)).toEqual({ difference: undefined, chance });
    expect(compare(other, one)).toEqual({ difference: undefined, chance });
  });
});

describe("what is not", () => {
  test.each([
    ["another output", end, { ...end, turns: ["completed  2"] }],
    ["another output where items were withdrawn", racing, { ...racing, turns: ["completed  2"] }],
    ["another end of a node", end, { ...end, nodes: ["1 /flow error"] }],
    ["one that is denied where nothing was withdrawn", end, { ...denied, nodes: [] }],
    [
      "a turn before the one that is denied",
      { ...denied, turns: ["failed  null", "denied  null"] },
      { ...racing, turns: ["failed  1", "completed  1"] },
    ],
    [
      "one whose fan-out the same code ended",
      { ...racing, firstErrors: new Map([["1 /flow", "TIMEOUT"]]) },
      { ...racing, turns: ["completed  2"], firstErrors: new Map([["1 /flow", "TIMEOUT"]]) },
    ],
    ["the turn that is left", { ...failed, turns: ["failed  7", "failed  null"] }, left],
    [
      "one that tries no node again though no effect was left open in it",
      { ...racing, tried: [["1 /flow/nodes/0", 2]] },
      { ...racing, turns: ["failed  null"], withdrawn: ["1 /flow/nodes/1/items/1"] },
    ],
  ] as const)("%s", (_name, one, other) => {
    expect(compare(one, other).difference).toMatch(/ became /);
    expect(compare(other, one).difference).toMatch(/ became /);
  });
});
