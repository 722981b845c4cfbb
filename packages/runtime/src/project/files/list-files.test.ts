import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FILES_MAX, isFileName, listFiles } from "./list-files.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-list-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "{}");
  }
}

async function list(...paths: string[]): Promise<string[] | string> {
  const listed = await listFiles(paths.map((path) => join(root, path)));
  if (listed.kind === "unusable") return listed.message;
  return listed.files.map((file) => relative(root, file));
}

test("takes what can be a loop from a folder, by name, and passes over the rest", async () => {
  write("mixed/b.json", "mixed/a.ts", "mixed/sub/c.mjs", "mixed/readme.md", "mixed/a.test.ts");
  write("mixed/package.json", "mixed/tsconfig.json", "mixed/a.d.ts", "mixed/vite.config.ts");
  write("mixed/a.harness.json");
  write("mixed/.hidden/d.json", "mixed/.e.json", "mixed/node_modules/f/f.js");
  expect(await list("mixed")).toEqual(["mixed/a.ts", "mixed/b.json", "mixed/sub/c.mjs"]);
});

test("takes a file that is named, in the order given, and none twice", async () => {
  write("named/a.json", "named/package.json");
  expect(
    await list("named/package.json", "named/a.json", "named", "named/../named/a.json"),
  ).toEqual(["named/package.json", "named/a.json"]);
});

test("says what does not exist, is no loop, or holds none", async () => {
  write("texts/a.md");
  expect(await list("missing.json")).toMatch(/missing\.json does not exist$/);
  expect(await list("texts/a.md")).toMatch(/a\.md is not a loop document/);
  expect(await list("texts")).toMatch(/texts holds no loop document$/);
});

test("lists FILES_MAX files, and refuses one more", async () => {
  mkdirSync(join(root, "many"));
  for (let index = 0; index < FILES_MAX; index++)
    writeFileSync(join(root, `many/${index}.json`), "");
  expect(await list("many")).toHaveLength(FILES_MAX);
  write("many/more.json");
  expect(await list("many")).toBe(`more than ${FILES_MAX} files`);
});

test.each(["a.json", "a.ts", "./a", "../a", "/a", "c:\\a", "dir/a.mjs"])(
  "%s reads like a file",
  (name) => expect(isFileName(name)).toBe(true),
);

test.each(["greet", "acme/greet", "acme.greet", "greet-v1.2", "a:b"])(
  "%s reads like the id of a loop",
  (name) => expect(isFileName(name)).toBe(false),
);
