import { DatabaseSync } from "node:sqlite";
import { StoreError } from "@turnseal/ports";
import { InvariantError } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { readBytes, readInteger, readObject, readText } from "./columns.ts";
import { isBusy, toStoreError } from "./to-store-error.ts";

function sqliteError(errcode: number): Error {
  return Object.assign(new Error("the words of SQLite"), { code: "ERR_SQLITE_ERROR", errcode });
}

// By the numbers of SQLite's documentation, extended codes among them.
test.each([
  [5, "STORE_UNREACHABLE"],
  [261, "STORE_UNREACHABLE"],
  [6, "STORE_UNREACHABLE"],
  [8, "STORE_UNREACHABLE"],
  [1032, "STORE_UNREACHABLE"],
  [10, "STORE_UNREACHABLE"],
  [1034, "STORE_UNREACHABLE"],
  [14, "STORE_UNREACHABLE"],
  [11, "STORE_CORRUPT"],
  [267, "STORE_CORRUPT"],
  [13, "STORE_FULL"],
  [4874, "STORE_FULL"],
  [26, "STORE_FORMAT_UNKNOWN"],
])("result code %i is %s", (errcode, code) => {
  const cause = sqliteError(errcode);
  const error = toStoreError(cause);
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ code, cause });
  expect((error as StoreError).message).not.toContain("words of SQLite");
  expect(isBusy(cause)).toBe([5, 6].includes(errcode & 0xff));
});

test("a broken constraint and a wrong statement are bugs", () => {
  const db = new DatabaseSync(":memory:");
  db.exec("create table one (id integer primary key)");
  for (const sql of ["insert into one values (1), (1)", "select * from two"]) {
    let thrown: unknown;
    try {
      db.exec(sql);
    } catch (error) {
      thrown = error;
    }
    expect(toStoreError(thrown)).toBeInstanceOf(InvariantError);
  }
});

test("what is not SQLite's stays as it is", () => {
  const ours = new StoreError("STORE_CORRUPT", "the file is damaged");
  const others = [ours, new RangeError("no"), "text", undefined, { errcode: "5" }];
  for (const error of others) {
    expect(toStoreError(error)).toBe(error);
    expect(isBusy(error)).toBe(false);
  }
});

test("a column of another type than the schema says is corruption", () => {
  const damaged = [
    () => readInteger({ sequence: "1" }, "sequence"),
    () => readInteger({ sequence: 0.5 }, "sequence"),
    () => readInteger(undefined, "sequence"),
    () => readText({ hash: null }, "hash"),
    () => readBytes({ bytes: "text" }, "bytes"),
    () => readObject({ body: "{" }, "body"),
    () => readObject({ body: "1" }, "body"),
    () => readObject({ body: 1 }, "body"),
  ];
  for (const read of damaged)
    expect(read).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
});
