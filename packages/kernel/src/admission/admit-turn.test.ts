import { SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import type { Amounts, EventOf, Grant, Spending } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { admitTurn } from "./admit-turn.ts";

const at = "2026-01-01T00:00:00.000Z";

function started(spending: Spending): EventOf<"turn.started"> {
  return sampleEvent("turn.started", { ...SAMPLE_CONTENTS.turnStarted, spending }, { at });
}

function admit(grant: Partial<Grant> = {}, settled: Amounts = {}) {
  return admitTurn(
    { grant: { grantor: "me", tools: [], budget: {}, ...grant } },
    started({ settled, assumed: {}, open: {} }),
  );
}

test("a grant that expires a moment later still admits, one that has expired does not", () => {
  expect(admit({ expiresAt: "2026-01-01T00:00:00.001Z" }).kind).toBe("admitted");
  expect(admit({ expiresAt: at })).toEqual({ kind: "denied", reason: "grant-expired" });
  expect(admit({ expiresAt: "no time at all" })).toEqual({
    kind: "denied",
    reason: "grant-expired",
  });
});

test("the turn itself counts against the budget: the last one is admitted, one more is not", () => {
  expect(admit({ budget: { turns: 3 } }, { turns: 2 }).kind).toBe("admitted");
  expect(admit({ budget: { turns: 3 } }, { turns: 3 })).toEqual({
    kind: "denied",
    reason: "budget-exhausted",
  });
  expect(admit({ budget: { effects: 1 } }, { effects: 2 })).toMatchObject({ kind: "denied" });
});
