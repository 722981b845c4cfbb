import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isLoopError } from "@turnseal/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { APPLICATION_ID, migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { openDatabase } from "./open-database.ts";
import { cleanUp, onCleanUp, scratchFile } from "./scratch-file.test.data.ts";

afterEach(cleanUp);

function open(file: string): DatabaseSync {
  const db = openDatabase({ file });
  onCleanUp(() => {
    if (db.isOpen) db.close();
  });
  return db;
}

/** Makes a file by other means. */
function makeForeign(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

function codeOf(body: () => unknown): string {
  try {
    body();
    return "opened";
  } catch (error) {
    return isLoopError(error) ? error.code : String(error);
  }
}

test("a new file, and those beside it, are for their owner alone", () => {
  const file = scratchFile();
  open(file).exec("insert into migration (version) values (99)");
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    expect([path, (statSync(path).mode & 0o777).toString(8)]).toEqual([path, "600"]);
  }
});

test("the mode of a file that is there stays as it is", () => {
  const file = scratchFile();
  open(file).close();
  chmodSync(file, 0o640);
  open(file);
  expect((statSync(file).mode & 0o777).toString(8)).toBe("640");
});

test("commits are synchronous, shared by a log, and what is deleted is overwritten", () => {
  const db = open(scratchFile());
  const read = (pragma: string) => Object.values(db.prepare(`pragma ${pragma}`).get() ?? {})[0];
  const pragmas = ["journal_mode", "synchronous", "secure_delete", "application_id"];
  expect(pragmas.map(read)).toEqual(["wal", 2, 1, APPLICATION_ID]);
});

describe("a file that is not ours is refused, and stays as it is", () => {
  const foreign: Readonly<Record<string, (file: string) => void>> = {
    text: (file) => writeFileSync(file, "hello\n".repeat(1_000)),
    "a database of something else": (file) => makeForeign(file, "create table note (text text)"),
    "a database that another program marked": (file) =>
      makeForeign(file, "pragma application_id = 1; create table head (x); drop table head"),
  };

  test.each(Object.entries(foreign))("%s", (_, make) => {
    const file = scratchFile();
    make(file);
    const before = readFileSync(file);
    expect(codeOf(() => open(file))).toBe("STORE_FORMAT_UNKNOWN");
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});

test("an empty file is taken for a new one", () => {
  const file = scratchFile();
  writeFileSync(file, "");
  expect(codeOf(() => open(file))).toBe("opened");
});

test("a file of a later schema is refused, and its version named", () => {
  const file = scratchFile();
  const [known, later] = [MIGRATIONS.length, MIGRATIONS.length + 1];
  const db = open(file);
  db.exec(`insert into migration (version) values (${later})`);
  db.close();
  expect(() => open(file)).toThrow(
    expect.objectContaining({
      code: "STORE_FORMAT_UNKNOWN",
      message: expect.stringMatching(
        `has migration ${later}, and this program knows ${known}: use one that knows ${later}$`,
      ),
    }),
  );
});

test("a file that is one step ahead is opened, where that step says so, and no further", () => {
  const known = MIGRATIONS.length;
  const openAhead = (...later: (readonly [number, number | null])[]): string => {
    const file = scratchFile();
    const db = open(file);
    for (const [version, oldest] of later)
      db.exec(`insert into migration (version, oldest) values (${version}, ${oldest})`);
    db.close();
    return codeOf(() => open(file));
  };
  expect(openAhead([known + 1, known])).toBe("opened");
  expect(openAhead([known + 1, known + 1])).toBe("STORE_FORMAT_UNKNOWN");
  expect(openAhead([known + 1, null])).toBe("STORE_FORMAT_UNKNOWN");
  expect(openAhead([known + 1, known], [known + 2, known])).toBe("STORE_FORMAT_UNKNOWN");
});

test("a folder that is not there, and a folder in place of a file, are unreachable", () => {
  const folder = dirname(scratchFile());
  expect(codeOf(() => open(join(folder, "nowhere", "store.db")))).toBe("STORE_UNREACHABLE");
  expect(codeOf(() => open(folder))).toBe("STORE_UNREACHABLE");
});

describe("migrations", () => {
  const steps = [
    "create table list (step text)",
    "insert into list values ('second')",
    "insert into list values ('third')",
  ].map((sql, index) => ({ sql, oldest: index + 1 }));
  const readSteps = (db: DatabaseSync) =>
    db
      .prepare("select step from list")
      .all()
      .map(({ step }) => step);

  test("run once each, in order, from wherever the file stands", () => {
    const db = new DatabaseSync(":memory:");
    for (const known of [1, 2, 2, 3, 3]) migrate(db, steps.slice(0, known));
    expect(readSteps(db)).toEqual(["second", "third"]);
    const versions = db.prepare("select version from migration").all();
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  test("are all made or none", () => {
    const db = new DatabaseSync(":memory:");
    migrate(db, steps.slice(0, 1));
    expect(() => migrate(db, [...steps, { sql: "no such statement", oldest: 4 }])).toThrow();
    expect(readSteps(db)).toEqual([]);
    expect(db.isTransaction).toBe(false);
    migrate(db, steps);
    expect(readSteps(db)).toEqual(["second", "third"]);
  });
});
