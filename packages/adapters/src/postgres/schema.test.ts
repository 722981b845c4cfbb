import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSchema } from "./read-schema.test.data.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

const file = new URL("./__fixtures__/schema.txt", import.meta.url);

// After a new migration: TURNSEAL_WRITE_SCHEMA=1 npx vitest run schema.test.ts, and read the
// difference.
test("the schema is what schema.txt says", async () => {
  const roles = [TEST_ROLES.worker, TEST_ROLES.reader];
  const schema = await readSchema(await scratch.connect(), roles);
  if (process.env["TURNSEAL_WRITE_SCHEMA"] === "1") writeFileSync(file, schema);
  expect(schema).toBe(readFileSync(file, "utf8"));
});

test("the dump sees a column, an index, a policy and a grant that are not ours", async () => {
  const session = await scratch.connect();
  const before = await readSchema(session, [TEST_ROLES.reader]);
  const changes = [
    "alter table turnseal.run add column note text",
    "create index extra on turnseal.segment (tenant)",
    "create policy everything on turnseal.segment using (true)",
    "alter table turnseal.segment disable row level security",
    `grant select on turnseal.run_key to ${TEST_ROLES.reader}`,
  ];
  for (const change of changes) {
    await session.query("begin");
    await session.query(change);
    expect(await readSchema(session, [TEST_ROLES.reader])).not.toBe(before);
    await session.query("rollback");
  }
  await session.query("begin");
  await session.query("create index extra on turnseal.segment_t1 (tenant)");
  await expect(readSchema(session, [])).rejects.toThrow("partitions differ");
  await session.query("rollback");
});
