import { afterAll, beforeAll, expect, test } from "vitest";
import { findTrouble } from "./find-trouble.ts";
import { openConnections } from "./open-database.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

test("a missing standby is noticed in production, unless it need not be there", async () => {
  const connections = openConnections({ url: scratch.url });
  const db = connections.enter(TEST_ROLES.worker);
  try {
    expect(await findTrouble(db, {})).toBeUndefined();
    const production = { mode: "production" } as const;
    expect(await findTrouble(db, production)).toMatchObject({
      ...{ kind: "not-replicated", what: expect.stringContaining("standby") },
    });
    const without = { ...production, withoutStandby: true };
    expect(await findTrouble(db, without)).toBeUndefined();
  } finally {
    await connections.close();
  }
});
