import { STANDING_MAX, type StandingApproval } from "@turnseal/folds";
import { expect, test } from "vitest";
import { findStandingFault } from "./find-standing-fault.ts";

const mayStand = { uses: 3, withinMs: 60_000 };
const request = { name: "local.pay", mayStand };
const given = { choice: "approve", standing: mayStand, pattern: { to: { any: true } } };
const at = "2026-11-19T00:00:00.000Z";

const standing = (count: number, until = at): StandingApproval[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `id-${index}`, decision: index, hash: "", approval: 1, tool: "local.pay", by: "ada" },
    ...{ given: mayStand, receivedAt: at, until, usesLeft: 1, standsFor: "", exclude: [] },
    pattern: { digest: "hmac-sha256:00", size: 1, mediaType: "application/json" },
  }));

test("STANDING_MAX approvals may stand in a run at a time, and no more", () => {
  const run = { standing: standing(STANDING_MAX - 1), lastAt: at };
  expect(findStandingFault(request, run, given)).toBeUndefined();
  expect(findStandingFault(request, { ...run, standing: standing(STANDING_MAX) }, given)).toBe(
    "64 approvals stand already: revoke one",
  );
});

test("an approval whose time is over does not count", () => {
  const run = { standing: standing(STANDING_MAX, "2026-11-18T23:59:59.999Z"), lastAt: at };
  expect(findStandingFault(request, run, given)).toBeUndefined();
});

test("a request without mayStand names the rule", () => {
  const fault = findStandingFault({ name: "local.pay" }, { lastAt: at }, given);
  expect(fault).toBe("no approval of local.pay can stand: the rule that asks has no `mayStand`");
});
