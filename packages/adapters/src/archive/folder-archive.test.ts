import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveContract } from "@turnseal/ports/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { folderArchive } from "./folder-archive.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "turnseal-archive-")), "archive");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

for (const { name, run } of archiveContract({ create: () => folderArchive(folder) }))
  test(name, run);

const one = new TextEncoder().encode("one");

test("files and folders are for their owner alone, and no draft is left", async () => {
  await folderArchive(folder).put("ada/ab/one.json", one);
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  expect(modeOf(join(folder, "ada"))).toBe(0o700);
  expect(modeOf(join(folder, "ada/ab/one.json"))).toBe(0o600);
  expect(readdirSync(join(folder, ".drafts"))).toEqual([]);
});

test("what somebody left unfinished is no name, and goes when it is old", async () => {
  const drafts = join(folder, ".drafts");
  mkdirSync(drafts, { recursive: true });
  for (const name of ["old", "new"]) writeFileSync(join(drafts, name), "half");
  const past = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(join(drafts, "old"), past, past);
  const archive = folderArchive(folder);
  expect(await archive.list("")).toEqual([]);
  await archive.put("ada/one", one);
  expect(readdirSync(drafts)).toEqual(["new"]);
  expect(await archive.list("")).toEqual(["ada/one"]);
});

test("what somebody else put into the folder is no name", async () => {
  const archive = folderArchive(folder);
  await archive.put("ada/one", one);
  for (const name of ["one (copy)", "one~", ".one"]) writeFileSync(join(folder, "ada", name), "x");
  expect(await archive.list("ada/")).toEqual(["ada/one"]);
});

test("a folder that cannot be written is said so, with a code", async () => {
  writeFileSync(folder, "a file");
  await expect(folderArchive(folder).put("ada/one", one)).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
});
