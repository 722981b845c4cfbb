// A search with ripgrep on the `PATH` and one without it give the same answers.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, openDesk } from "../agent-desk.test.data.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { fileTools } from "./file-tools.ts";

const path = process.env["PATH"] ?? "";
let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => {
  process.env["PATH"] = path;
  place.remove();
});

async function grep(input: object, ways: string): Promise<unknown> {
  process.env["PATH"] = ways;
  const { grep: tool } = fileTools("site");
  const desk = openDesk({
    tools: [tool],
    terms: [grantTerms.files("site")],
    folder: place.folder,
  });
  return desk.call("fs.grep", input);
}

const name = fc.constantFrom("a.ts", "b.md", ".c", "d/a.ts", "d/.e/f", ".git/g", "d/.gitignore");
const bytes = fc.oneof(
  fc
    .array(fc.constantFrom(..."aAkK\u212aİiß-.( \r\n\0\ufffd".split(""), "foo", "*\n"), {
      maxLength: 30,
    })
    .map((parts) => Buffer.from(parts.join(""))),
  fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
);
const pattern = fc.constantFrom(
  ...["foo", "a", "k", "i", "K", "ß", "\\.", "\\(", "a.k", "^a", "a$", "fo+", "(foo|ka)", "a-"],
  ...[
    "[ak]i",
    "\\ufffd",
    "foo\\b",
    "(?<!a)foo",
    "a{2}",
    "(a|)",
    "\\s",
    "x",
    "a\\n",
    "$(id)",
    "--follow",
  ],
);

test("of random trees and patterns", { timeout: 240_000 }, async () => {
  const tree = fc.uniqueArray(fc.tuple(name, bytes), {
    ...{ minLength: 1, selector: ([each]) => each },
  });
  const property = fc.asyncProperty(tree, pattern, fc.boolean(), async (files, asked, isAny) => {
    rmSync(place.folder, { recursive: true });
    mkdirSync(place.folder);
    for (const [each, content] of files) {
      mkdirSync(dirname(join(place.folder, each)), { recursive: true });
      writeFileSync(join(place.folder, each), content);
    }
    symlinkSync(place.outside, join(place.folder, "way"));
    for (const input of [{}, { folder: "d" }, { files: "*.ts", context: 1 }]) {
      const whole = { pattern: asked, ignoreCase: isAny, ...input };
      expect(await grep(whole, path)).toEqual(await grep(whole, ""));
    }
  });
  await fc.assert(property, { seed: 3, numRuns: 60 });
});

test("where there are more matches than are answered", async () => {
  for (let at = 0; at < 30; at++)
    writeFileSync(join(place.folder, `f${at}`), "foo\n".repeat(at + 1));
  const answer = await grep({ pattern: "foo" }, path);
  expect(answer).toMatchObject({ isWhole: false });
  expect(answer).toEqual(await grep({ pattern: "foo" }, ""));
});
