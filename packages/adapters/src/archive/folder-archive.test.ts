import { randomUUID } from "node:crypto";
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

/** Writes the drafts that a process leaves when it is killed before a rename. */
function leaveDrafts(names: readonly string[]): (rest: readonly string[]) => void {
  const drafts = join(folder, ".drafts");
  mkdirSync(drafts, { recursive: true });
  const files = names.map((name) => `${name}~${randomUUID()}`);
  for (const file of files) writeFileSync(join(drafts, file), "half of what is kept");
  return (rest) =>
    expect(
      readdirSync(drafts)
        .map((file) => file.replace(/~[^~]*$/, ""))
        .toSorted(),
    ).toEqual(rest);
}

test("a draft goes with the next put of its name, and with what removes the name", async () => {
  const archive = folderArchive(folder);
  const expectLeft = leaveDrafts(["ada~ab~one.json", "ada~ab~one.json2", "ada~ab~two.json"]);
  await archive.put("ada/ab/one.json", one);
  expectLeft(["ada~ab~one.json2", "ada~ab~two.json"]);
  await archive.remove("ada/ab/two.json");
  expectLeft(["ada~ab~one.json2"]);
});

test("drafts of names that begin with a text go together, and no others", async () => {
  const archive = folderArchive(folder);
  await archive.put("ada/ab/one.json", one);
  const expectLeft = leaveDrafts(["ada-2~ab~one", "ada~ab~one.json", "ada~cd~two", "grace~ab~one"]);
  await archive.removeUnfinished("ada/");
  expectLeft(["ada-2~ab~one", "grace~ab~one"]);
  expect(await archive.get("ada/ab/one.json")).toEqual(one);
  await archive.removeUnfinished("");
  expectLeft([]);
});

test("a file that cannot have its name leaves no draft, and is not tried for ever", async () => {
  const archive = folderArchive(folder);
  await archive.put("ada/one", one);
  for (const name of ["ada/two", "ada/one"]) {
    rmSync(join(folder, "ada"), { recursive: true });
    if (name === "ada/one") mkdirSync(join(folder, name), { recursive: true });
    await expect(archive.put(name, one)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    expect(readdirSync(join(folder, ".drafts"))).toEqual([]);
    mkdirSync(join(folder, "ada"), { recursive: true });
  }
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
