import { StoreError } from "@turnseal/ports";
import { InvariantError } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { readBytes, readFlag, readInteger, readMoment, readObject, readText } from "./columns.ts";
import { CLASH_ATTEMPTS_MAX, retryClash } from "./retry-clash.ts";
import { ClashError, isConnectionLost, toStoreError } from "./to-store-error.ts";

function serverError(code: string, table?: string): Error {
  return Object.assign(new Error("the words of Postgres"), { code, table });
}

// By the appendix of PostgreSQL's manual on error codes, and by the names of Node.
test.each([
  ["08006", "STORE_UNREACHABLE", true],
  ["08P01", "STORE_UNREACHABLE", true],
  ["57P01", "STORE_UNREACHABLE", true],
  ["57P03", "STORE_UNREACHABLE", true],
  ["ECONNREFUSED", "STORE_UNREACHABLE", true],
  ["ECONNRESET", "STORE_UNREACHABLE", true],
  ["57014", "STORE_UNREACHABLE", false],
  ["40P01", "STORE_UNREACHABLE", false],
  ["25006", "STORE_UNREACHABLE", false],
  ["28P01", "STORE_UNREACHABLE", false],
  ["3D000", "STORE_UNREACHABLE", false],
  // A setting that the server refuses: a role that is not there.
  ["22023", "STORE_UNREACHABLE", false],
  ["42501", "STORE_UNREACHABLE", false],
  ["53300", "STORE_UNREACHABLE", false],
  ["53100", "STORE_FULL", false],
  ["XX001", "STORE_CORRUPT", false],
  ["42P01", "STORE_FORMAT_UNKNOWN", false],
])("%s is %s", (code, expected, isLost) => {
  const cause = serverError(code);
  const error = toStoreError(cause);
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ code: expected, cause });
  expect((error as StoreError).message).not.toContain("words of Postgres");
  expect(isConnectionLost(cause)).toBe(isLost);
});

test.each([
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
])("the driver's words for a broken connection are known: %s", (words) => {
  expect(isConnectionLost(new Error(words))).toBe(true);
  expect(toStoreError(new Error(words))).toMatchObject({ code: "STORE_UNREACHABLE" });
});

test("a taken key names its table, and is a bug unless somebody expects it", () => {
  const clash = toStoreError(serverError("23505", "event_p07"));
  expect(clash).toBeInstanceOf(ClashError);
  expect(clash).toBeInstanceOf(InvariantError);
  expect(clash).toMatchObject({ table: "event", code: "INVARIANT_BROKEN", retry: "never" });
  expect(toStoreError(serverError("23505"))).toMatchObject({ table: "a table" });
});

test("a statement that does not fit is a bug, told without its values", () => {
  const error = toStoreError(serverError("22P02"));
  expect(error).toBeInstanceOf(InvariantError);
  expect((error as Error).message).toBe("Postgres refused a statement: 22P02");
});

test("a closed store is a bug; what is not Postgres's stays as it is", () => {
  const closed = new Error("Cannot use a pool after calling end on the pool");
  expect(toStoreError(closed)).toMatchObject({ message: "the store is closed" });
  const ours = new StoreError("STORE_CORRUPT", "the database is damaged");
  for (const error of [ours, new RangeError("no"), "text", undefined, { code: "57P01" }]) {
    expect(toStoreError(error)).toBe(error);
    expect(isConnectionLost(error)).toBe(false);
  }
});

test("a clash is tried CLASH_ATTEMPTS_MAX times, on the tables that are named", async () => {
  const clashing = (times: number, table: string) => {
    let asked = 0;
    const ask = async (): Promise<number> => {
      asked += 1;
      if (asked <= times) throw new ClashError(table);
      return asked;
    };
    return retryClash(["blob"], ask);
  };
  expect(await clashing(CLASH_ATTEMPTS_MAX - 1, "blob")).toBe(CLASH_ATTEMPTS_MAX);
  await expect(clashing(CLASH_ATTEMPTS_MAX, "blob")).rejects.toThrow(ClashError);
  await expect(clashing(1, "event")).rejects.toThrow(ClashError);
});

test("a column of another type than the schema says is corruption", () => {
  const damaged = [
    () => readInteger({ sequence: "x" }, "sequence"),
    () => readInteger({ sequence: "9007199254740993" }, "sequence"),
    () => readInteger({ sequence: null }, "sequence"),
    () => readInteger(undefined, "sequence"),
    () => readText({ hash: null }, "hash"),
    () => readFlag({ moved: "t" }, "moved"),
    () => readBytes({ bytes: "text" }, "bytes"),
    () => readObject({ body: null }, "body"),
    () => readMoment({ at: "now" }, "at"),
    () => readMoment({ at: new Date(Number.NaN) }, "at"),
  ];
  for (const read of damaged)
    expect(read).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
  expect(readInteger({ sequence: "9007199254740991" }, "sequence")).toBe(2 ** 53 - 1);
});
