// Looks up names in a held folder, while an attacker exchanges what its path leads to.
import { mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestFile, digestHeld } from "./digest-file.ts";
import { holdFolder, listNames, toRefusal } from "./root-place.ts";
import { createDigester, createFolders, putFile } from "./sample-root.test.data.ts";

const isLinux = process.platform === "linux";

test.runIf(isLinux)("a digest is of the file in the folder that is held", async () => {
  const { folder, outside } = createFolders();
  putFile(join(folder, "d/a"), "inside");
  putFile(join(outside, "a"), "outside");
  const expected = await digestFile(folder, "d/a", createDigester);
  const answer = await holdFolder(folder, ["d"], { isMade: false });
  if (answer.kind !== "held") throw new Error("the folder is there");
  renameSync(join(folder, "d"), join(folder, "moved"));
  symlinkSync(outside, join(folder, "d"));
  expect(await digestHeld(answer.folder, "a", createDigester)).toEqual(expected);
  expect(await digestHeld(answer.folder, "b", createDigester)).toMatchObject({ reason: "absent" });
  await answer.folder.close();
});

test("a link and a folder in the place of a file are refused there, too", async () => {
  const { folder, outside } = createFolders();
  putFile(join(outside, "a"), "outside");
  symlinkSync(join(outside, "a"), join(folder, "link"));
  mkdirSync(join(folder, "folder"));
  const answer = await holdFolder(folder, [], { isMade: false });
  if (answer.kind !== "held") throw new Error("the folder is there");
  const reasons = [];
  for (const name of ["link", "folder"]) {
    const file = await digestHeld(answer.folder, name, createDigester);
    reasons.push(file.kind === "refused" ? file.reason : file.kind);
  }
  expect(reasons).toEqual(["link", "no-file"]);
  await answer.folder.close();
});

test.runIf(isLinux)("names are those of a folder that is where its path says", () => {
  const { folder, outside } = createFolders();
  putFile(join(folder, "d/a"), "inside");
  putFile(join(outside, "d/secret"), "outside");
  expect(listNames(folder, "d")).toEqual(["a"]);
  expect(listNames(folder, "")).toEqual(["d"]);
  symlinkSync(outside, join(folder, "way"));
  expect(listNames(folder, "way/d")).toEqual([]);
  expect(() => listNames(folder, "way")).toThrow();
});

test("a name that is too long for the file system is refused, and nothing is thrown", async () => {
  const { folder } = createFolders();
  expect(toRefusal("ENAMETOOLONG")).toBe("denied");
  expect(await holdFolder(folder, ["n".repeat(300)], { isMade: true })).toEqual({
    kind: "refused",
    reason: "denied",
  });
});

test.each(["the root", "a folder above it"])("%s in whose place is a link", async (which) => {
  const { folder, outside } = createFolders();
  const root = which === "the root" ? folder : join(folder, "site");
  mkdirSync(root, { recursive: true });
  mkdirSync(join(outside, "site"));
  renameSync(folder, `${folder}-before`);
  symlinkSync(outside, folder);
  const refused = { kind: "refused", reason: "link" };
  expect(await holdFolder(root, ["deep", "down"], { isMade: true })).toEqual(refused);
  expect(readdirSync(outside, { recursive: true })).toEqual(["site"]);
});
