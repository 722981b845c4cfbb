import { describe, expect, test } from "vitest";
import { NO_SPENDING, type Spending } from "../budget/budget.ts";
import type { JsonObject } from "../canonical-json.ts";
import { RESOLUTIONS } from "../resolutions.ts";
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

describe("what is counted in a period", () => {
  const [first, second] = [{ day: "2026-11-15" }, { day: "2026-11-16" }];
  const spent = { toolCalls: 1 };

  test("is a claim in full, and then what it cost", () => {
    const claimed = fold(["action.claimed", { reserve, periods: first }]);
    expect(claimed.periodic).toEqual({ day: { period: first.day, amounts: reserve } });
    const settled = foldSpending(claimed, {
      type: "action.settled",
      content: { reserve, spent, periods: first },
    });
    expect(settled.periodic).toEqual({ day: { period: first.day, amounts: spent } });
  });

  test("starts from nothing in the next one, and a late settlement leaves it alone", () => {
    const spending = fold(
      ["action.claimed", { reserve, periods: first }],
      ["action.claimed", { reserve, periods: second }],
      ["action.settled", { reserve, spent, periods: first }],
    );
    expect(spending.periodic).toEqual({ day: { period: second.day, amounts: reserve } });
    expect(spending.open).toEqual(reserve);
  });

  test("is never an earlier one than before", () => {
    const spending = fold(
      ["action.claimed", { reserve, periods: second }],
      ["action.claimed", { reserve, periods: first }],
    );
    expect(spending.periodic).toEqual({ day: { period: second.day, amounts: reserve } });
  });

  test("stays with the claim whose place another takes", () => {
    const spending = fold(
      ["action.claimed", { reserve, periods: first }],
      ["action.resolved", { reserve, resolution: "again" }],
      ["action.claimed", { reserve, supersedes: 1, periods: first }],
    );
    expect(spending.periodic).toEqual({ day: { period: first.day, amounts: reserve } });
  });

  test("is kept for a claim that is assumed to have cost all of it", () => {
    const spending = fold(
      ["action.claimed", { reserve, periods: first }],
      ["action.resolved", { reserve, resolution: "abandon" }],
    );
    expect(spending.periodic).toEqual({ day: { period: first.day, amounts: reserve } });
  });

  test("is a turn, where it names its periods", () => {
    expect(fold(["turn.started", { periods: first }]).periodic).toEqual({
      day: { period: first.day, amounts: { turns: 1 } },
    });
  });

  test("is nothing where no event names a period of a kind that there is", () => {
    expect(fold(["action.claimed", { reserve }], ["turn.started", {}])).not.toHaveProperty(
      "periodic",
    );
    for (const periods of [{ day: 7 }, { year: "2026" }, {}, [], "2026-11-15", null])
      expect(fold(["action.claimed", { reserve, periods }])).not.toHaveProperty("periodic");
  });

  test("is counted by each kind alone: an hour ends within its month", () => {
    const early = { hour: "2026-11-15T22", month: "2026-11" };
    const late = { hour: "2026-11-15T23", month: "2026-11" };
    const spending = fold(
      ["action.claimed", { reserve, periods: early }],
      ["action.claimed", { reserve, periods: late }],
      ["action.settled", { reserve, spent, periods: early }],
      ["action.claimed", { reserve, periods: { week: "2026-W46" } }],
    );
    expect(spending.periodic).toEqual({
      hour: { period: late.hour, amounts: reserve },
      month: { period: "2026-11", amounts: { toolCalls: 2, effects: 1 } },
      week: { period: "2026-W46", amounts: reserve },
    });
  });
});
