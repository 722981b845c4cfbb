// What `npm run proof outage` proves, at a small size.
import { expect, test } from "vitest";
import { runOutage } from "../proofs/outage/run-outage.ts";

test("runs wait for a provider that is away, all finish, and each pays once", async () => {
  const { met, ...figures } = await runOutage({ runs: 6, awayMs: 5_000 });
  expect(met).toBeGreaterThan(0);
  expect(figures).toMatchObject({
    ...{ finished: 6, payments: 18, paidTwice: 0, notPaid: 0, findings: 0 },
  });
});
