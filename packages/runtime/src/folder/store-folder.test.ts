import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createStoreFolder, openStoreFolder } from "./store-folder.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-folder-"));
afterAll(() => rmSync(root, { recursive: true }));
const file = join(root, "runs.db");

test("a file that is no store of ours is named", async () => {
  writeFileSync(file, "garbage".repeat(1_000));
  const failure = { code: "STORE_FORMAT_UNKNOWN", message: expect.stringContaining(file) };
  expect(() => openStoreFolder(root)).toThrow(expect.objectContaining(failure));
  await expect(createStoreFolder(root)).rejects.toMatchObject(failure);
});

test("a path that leads through a file is named once", async () => {
  const named = await createStoreFolder(file).catch((error: Error) => error.message);
  expect(String(named).split(join(file, "runs.db"))).toHaveLength(2);
});

test("a folder without runs is said to have none", () => {
  expect(openStoreFolder(join(root, "none"))).toMatchObject({
    kind: "unusable",
    message: expect.stringContaining("there are no runs in"),
  });
});

test("a folder that cannot be looked into is not said to be empty", () => {
  const circle = join(root, "circle");
  symlinkSync(circle, circle);
  expect(openStoreFolder(circle)).toMatchObject({
    kind: "unusable",
    message: expect.stringContaining("circle cannot be read: ELOOP"),
  });
});
