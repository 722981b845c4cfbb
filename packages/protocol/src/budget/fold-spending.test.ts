import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical-json.ts";
import { RESOLUTIONS } from "../run/resolutions.ts";
import { NO_SPENDING, type Spending } from "./budget.ts";
import { foldSpending } from "./fold-spending.ts";

function fold(...events: readonly (readonly [type: string, content: JsonObject])[]): Spending {
  return events.reduce<Spending>(
    (spending, [type, content]) => foldSpending(spending, { type, content }),
    NO_SPENDING,
  );
}

const reserve = { toolCalls: 1, effects: 1 };

test("a turn counts when it starts, whatever comes of it", () => {
  expect(fold(["turn.started", {}], ["turn.denied", {}])).toEqual({
    ...NO_SPENDING,
    settled: { turns: 1 },
  });
});

test("a claim is open in full until it is settled, and then what it cost is settled", () => {
  expect(fold(["action.claimed", { reserve }]).open).toEqual(reserve);
  const settled = fold(
    ["action.claimed", { reserve }],
    ["action.settled", { reserve, spent: { toolCalls: 1 } }],
  );
  expect(settled).toEqual({ settled: { toolCalls: 1 }, assumed: {}, open: {} });
});

test("a claim that takes the place of another reserves nothing of its own", () => {
  const spending = fold(
    ["action.claimed", { reserve }],
    ["action.resolved", { reserve, resolution: "again" }],
    ["action.claimed", { reserve, supersedes: 1 }],
  );
  expect(spending).toEqual({ ...NO_SPENDING, open: reserve });
});

describe.each(RESOLUTIONS)("a claim resolved as %s", (resolution) => {
  const spending = fold(
    ["action.claimed", { reserve }],
    ["action.resolved", { reserve, resolution }],
  );
  const isHeld = ["never", "retry", "again"].includes(resolution);

  test(isHeld ? "keeps its reservation" : "is assumed to have cost all of it", () => {
    expect(spending).toEqual(
      isHeld ? { ...NO_SPENDING, open: reserve } : { ...NO_SPENDING, assumed: reserve },
    );
  });
});

test("a word that is no resolution never gives a reservation back", () => {
  const spending = fold(
    ["action.claimed", { reserve }],
    ["action.resolved", { reserve, resolution: "forget it" }],
  );
  expect(spending.assumed).toEqual(reserve);
});

test("other events move nothing", () => {
  const spending = fold(
    ["action.unknown", { reserve }],
    ["signal.received", { reserve }],
    ["log", { spent: reserve }],
  );
  expect(spending).toEqual(NO_SPENDING);
});
