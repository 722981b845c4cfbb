import { DatabaseSync } from "node:sqlite";
import { valueStateContract } from "@turnseal/ports/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { cleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";

afterEach(cleanUp);

describe("values in a SQLite file keep the contract", () => {
  const create = () => {
    const file = scratchFile();
    const [one, other] = [openScratch({ file }), openScratch({ file })];
    return { values: one.values, other: other.values, stranger: openScratch().values };
  };
  for (const { name, run } of valueStateContract({ create })) test(name, run);
});

test("entries of a log can be neither changed nor removed, whatever asks", async () => {
  const file = scratchFile();
  const { values } = openScratch({ file });
  await values.append("log", "first");
  const db = new DatabaseSync(file);
  for (const sql of ["update value_entry set body = '1'", "delete from value_entry"])
    expect(() => db.exec(sql)).toThrow("only added to");
  db.close();
  expect(await values.readLog("log", 1)).toEqual([{ number: 1, entry: "first" }]);
});
