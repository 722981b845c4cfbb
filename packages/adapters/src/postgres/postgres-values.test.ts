import { randomUUID } from "node:crypto";
import { valueStateContract } from "@turnseal/ports/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

describe("values in PostgreSQL keep the contract", () => {
  const create = async () => {
    const tenant = `tenant-${randomUUID()}`;
    const opened = [await scratch.open({ tenant }), await scratch.open({ tenant })] as const;
    const stranger = await scratch.open();
    const close = async () => {
      for (const stores of [...opened, stranger]) await stores.close();
    };
    const [{ values }, { values: other }] = opened;
    return { values, other, stranger: stranger.values, close };
  };
  const destroy = async (subject: object) => (subject as { close(): Promise<void> }).close();
  for (const { name, run } of valueStateContract({ create, destroy })) test(name, run);
});

const asWorker = (tenant: string) =>
  scratch.connect({ role: TEST_ROLES.worker, "turnseal.tenant": tenant });

test("what a worker asks without the policies' tenant it neither sees nor changes", async () => {
  const { values } = await scratch.open({ tenant: "alpha" });
  await values.set("a", 1);
  await values.append("log", 1);
  const session = await asWorker("beta");
  for (const table of ["value", "value_log", "value_entry"])
    expect(await session.query(`select from turnseal.${table}`)).toEqual([]);
  const put = "insert into turnseal.value values ('alpha', 'b', 1, '1')";
  await expect(session.query(put)).rejects.toThrow("row-level security");
  const changes = JSON.stringify([{ key: "a", body: "2" }]);
  const change = "select turnseal.change_values('alpha', null, $1)";
  await expect(session.query(change, [changes])).rejects.toThrow("row-level security");
  expect(await values.get("a")).toBe(1);
});

test("a worker can neither change nor remove an entry of a log", async () => {
  const { values } = await scratch.open({ tenant: "gamma" });
  await values.append("log", 1);
  const session = await asWorker("gamma");
  for (const sql of [
    "update turnseal.value_entry set body = '2'",
    "delete from turnseal.value_entry",
  ])
    await expect(session.query(sql)).rejects.toThrow("permission denied");
  const again = "insert into turnseal.value_entry values ('gamma', 'log', 1, '2')";
  await expect(session.query(again)).rejects.toThrow("duplicate key");
  expect(await values.readLog("log", 1)).toEqual([{ number: 1, entry: 1 }]);
});
