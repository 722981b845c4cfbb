import { describe, expect, test } from "vitest";
import { countDraws } from "./draw-faults.ts";
import { runSeed } from "./run-seed.ts";

const SEEDS = 60;

test("no approval is drawn beyond what was given, in any of these seeds", async () => {
  const sum = { given: 0, draws: 0, revoked: 0, crashes: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { faults, ...counts } = await runSeed(seed);
    expect(faults, `seed ${seed}`).toEqual([]);
    sum.given += counts.given;
    sum.draws += counts.draws;
    sum.revoked += counts.revoked;
    sum.crashes += counts.crashes;
  }
  // What never happens proves nothing.
  expect(Math.min(...Object.values(sum))).toBeGreaterThan(SEEDS / 10);
});

test("the same seed gives the same run", async () => {
  expect(await runSeed(7)).toEqual(await runSeed(7));
});

describe("the count finds", () => {
  const at = "2026-11-19T00:00:01.000Z";
  const decided = {
    ...{ type: "approval.decided", sequence: 1, at },
    content: { receivedAt: at, standing: { uses: 1, withinMs: 10, amounts: { effects: 1 } } },
  };
  const draw = (sequence: number, later = at, decision = 1) => ({
    ...{ type: "action.claimed", sequence, at: later },
    content: { action: "tool", reserve: { effects: 1 }, drawn: { decision, usesLeft: 9 } },
  });
  const revoke = { type: "signal.received", sequence: 2, content: { kind: "revoke", decision: 1 } };
  const late = "2026-11-19T00:00:01.011Z";
  test.each([
    ["a use too many", [decided, draw(2), draw(3)], /use 2 of 1/],
    ["an amount too much", [decided, draw(2), draw(3)], /spends 2 of 1 effects/],
    ["a draw after the revocation", [decided, revoke, draw(3)], /after the revocation/],
    ["a draw after its time", [decided, draw(2, late)], /after its time/],
    ["a draw of nothing", [decided, draw(2, at, 7)], /not given/],
  ])("%s", (_, events, words) => {
    expect(countDraws(events as never).faults.join()).toMatch(words);
  });
  test("nothing in a draw that is allowed", () => {
    expect(countDraws([decided, draw(2)] as never)).toMatchObject({ draws: 1, faults: [] });
  });
});
