import { afterAll, beforeAll, expect, test } from "vitest";
import { findTrouble } from "./find-trouble.ts";
import { openDatabase } from "./open-database.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

test("connections without their role or tenant, and a missing standby, are noticed", async () => {
  const db = openDatabase({ url: scratch.url, tenant: "ada" }, TEST_ROLES.worker);
  try {
    expect(await findTrouble(db, TEST_ROLES.worker, {})).toBeUndefined();
    // As a pooler that drops what a connection was opened with.
    expect(await findTrouble(db, TEST_ROLES.reader, {})).toMatchObject({
      kind: "settings-dropped",
    });
    const other = { ...db, tenant: "grace" };
    expect(await findTrouble(other, TEST_ROLES.worker, {})).toMatchObject({
      kind: "settings-dropped",
    });
    const production = { mode: "production" } as const;
    expect(await findTrouble(db, TEST_ROLES.worker, production)).toMatchObject({
      ...{ kind: "not-replicated", what: expect.stringContaining("standby") },
    });
    const without = { ...production, withoutStandby: true };
    expect(await findTrouble(db, TEST_ROLES.worker, without)).toBeUndefined();
  } finally {
    await db.close();
  }
});
