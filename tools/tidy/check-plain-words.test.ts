import { describe, expect, test } from "vitest";
import { checkPlainWords } from "./check-plain-words.ts";

const source = "apps/cli/src/serve/run-serve.ts";
const check = (path: string, text: string): string[] => checkPlainWords(new Map([[path, text]]));

describe("is found", () => {
  test.each([
    'const message = "nobody could be told from anybody else";',
    `const message = \`whoever reaches \${port} is answered\`;`,
    `const message = \`the run \${id} waits for somebody\`;`,
    'const card = "a no ends the run";',
    `const left = \`over for \${duration}\`;`,
    'const state = "the run is said to be done";',
    'const help = "Ask Somebody else";',
  ])("%s", (text) => {
    expect(check(source, text)).toHaveLength(1);
  });

  test.each([
    "README.md",
    "SECURITY.md",
    "docs/errors.md",
    "docs/guide/chat.md",
    "docs/operate/a.md",
  ])("in %s, with its line", (path) => {
    expect(check(path, "A first line.\nWhoever asks is told.\n")).toEqual([
      `${path}:2 says "Whoever": name the thing`,
    ]);
  });

  test("in a package, too", () => {
    expect(check("packages/host/src/a.ts", 'throw new Error("nobody decides");')).toHaveLength(1);
  });

  test("what a log holds, once it is said with other words", () => {
    const path = "packages/kernel/src/journal/a.ts";
    expect(check(path, `const message = \`nobody knows what \${name} did\`;`)).toEqual([]);
    expect(check(path, `const message = \`nobody knows why \${name} did\`;`)).toHaveLength(1);
  });
});

describe("is fine", () => {
  test.each([
    'const message = "no authentication is configured";',
    'const message = "there is no one such run, and a nod is a nod";',
    'const row = "a no-op, or a number";',
    'const name = "nobody";',
    "// Whoever reads this is told why.\nconst count = 1;",
    "const nobody = count;",
    `const left = \`expired \${duration} ago, and it is over\`;`,
  ])("%s", (text) => {
    expect(check(source, text)).toEqual([]);
  });

  test.each([
    "apps/cli/src/serve/run-serve.test.ts",
    "apps/cli/src/__fixtures__/stage.ts",
    "packages/ports/src/blob-store/erase-contract.ts",
    "packages/conformance/src/shape.ts",
    "proofs/chaos/load.ts",
  ])("anything in %s", (path) => {
    expect(check(path, 'test("nobody is asked", () => {});')).toEqual([]);
  });

  test.each(["docs/decisions/a.md", "docs/glossary.md", "CHANGELOG.md", "spec/run.md"])(
    "anything in %s",
    (path) => {
      expect(check(path, "Nobody knows whether it happened.")).toEqual([]);
    },
  );
});
