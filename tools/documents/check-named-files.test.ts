import { expect, test } from "vitest";
import { checkNamedFiles } from "./check-named-files.ts";

const files: [string, string][] = [
  ["packages/a/src/b.ts", ""],
  [".ci/run", ""],
];

test("a file or folder that exists may be named", () => {
  const text = "`packages/a/src/b.ts`, `packages/a/src`, `packages/a/`, `.ci/run`";
  expect(checkNamedFiles(new Map([...files, ["a.md", text]]))).toEqual([]);
});

test("one that does not exist is found, also where a longer name begins like it", () => {
  const text = "`packages/a/src/c.ts` and `packages/a/sr`";
  expect(checkNamedFiles(new Map([...files, ["docs/a.md", text]]))).toEqual([
    "docs/a.md names packages/a/src/c.ts, which is not there",
    "docs/a.md names packages/a/sr, which is not there",
  ]);
});

test("patterns, placeholders, fences, other words and the specification are left alone", () => {
  const text = "`packages/*/src`, `docs/<name>.md`, `call/`\n\n```text\n`packages/none`\n```\n";
  const tree = new Map([...files, ["a.md", text], ["spec/b.md", "`docs/none.md`"]]);
  expect(checkNamedFiles(tree)).toEqual([]);
});
