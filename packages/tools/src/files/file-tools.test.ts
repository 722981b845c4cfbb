import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonValue } from "@turnseal/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, openDesk, type Step } from "../agent-desk.test.data.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { fileTools } from "./file-tools.ts";

const ALL = ["read", "write", "delete"] as const;
let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.remove());

const at = (path: string) => join(place.folder, path);
const textAt = (path: string) => readFileSync(at(path), "utf8");
const put = (path: string, text: string | Uint8Array) => {
  mkdirSync(join(at(path), ".."), { recursive: true });
  writeFileSync(at(path), text);
};
const call =
  (tool: string, input: object): Step =>
  () => ({ tool, input });
const lastVersion = (told: readonly JsonValue[]) =>
  (told.at(-1) as { readonly version: string }).version;
const withVersion =
  (tool: string, input: object): Step =>
  (told) => ({ tool, input: { ...input, version: lastVersion(told) } });
const open = (terms = [grantTerms.files("site", { verbs: ALL })]) =>
  openDesk({ tools: fileTools("site").all, terms, folder: place.folder });

describe("an agent", () => {
  test("reads, edits, writes, moves and deletes, and the run manages all of it", async () => {
    put("src/a.ts", "one\ntwo\n");
    const desk = open();
    const { run, told } = await desk.work(
      call("fs.read", { path: "src/a.ts" }),
      withVersion("fs.edit", { path: "src/a.ts", edits: [{ from: "two", to: "two\nthree" }] }),
      withVersion("fs.move", { path: "src/a.ts", to: "src/b.ts" }),
      call("fs.write", { path: "new/c.txt", text: "c" }),
      withVersion("fs.delete", { path: "new/c.txt" }),
    );
    expect(told).toMatchObject([
      { text: "one\ntwo\n", lines: 2 },
      { path: "src/a.ts" },
      { path: "src/b.ts" },
      { path: "new/c.txt" },
      { path: "new/c.txt" },
    ]);
    expect(textAt("src/b.ts")).toBe("one\ntwo\nthree\n");
    const host = desk.open();
    expect(await desk.findings(run)).toEqual([]);
    expect((await host.show(run))?.artifacts).toMatchObject({ site: { files: 1 } });
  });

  test("is rolled back without a word in its tools", async () => {
    put("a.ts", "one\n");
    put("gone.txt", "still here\n");
    const desk = open();
    const { run } = await desk.work(
      call("fs.read", { path: "a.ts" }),
      withVersion("fs.edit", { path: "a.ts", edits: [{ from: "one", to: "two" }] }),
      call("fs.write", { path: "b.ts", text: "b" }),
      call("fs.read", { path: "gone.txt" }),
      withVersion("fs.delete", { path: "gone.txt" }),
    );
    const host = desk.open();
    const by = { id: "bea", roles: [] };
    const proposed = await host.rollback(run, { by: by.id });
    const back = (proposed as { readonly run: string }).run;
    await host.drive(back);
    const [request] = await host.requests(back);
    await host.decide(back, request?.id ?? "", { choice: "approve", by });
    await host.drive(back);
    expect(textAt("a.ts")).toBe("one\n");
    expect(textAt("gone.txt")).toBe("still here\n");
    expect(() => textAt("b.ts")).toThrow();
  });

  test("finds files and lines", async () => {
    put("src/a.ts", "const one = 1;\nconst two = 2;\n");
    put("src/deep/b.tsx", "export const ONE = 1;\n");
    put("c.md", "one\n");
    put("image.bin", Uint8Array.of(0, 111, 110, 101));
    const { told } = await open().work(
      call("fs.list", {}),
      call("fs.glob", { pattern: "**/*.{ts,tsx}" }),
      call("fs.glob", { pattern: "*.ts", folder: "src" }),
      call("fs.grep", { pattern: "one" }),
      call("fs.grep", { pattern: "const (one|ONE)\\b", files: "*.tsx" }),
      call("fs.grep", { pattern: "CONST ONE", ignoreCase: true, context: 1, folder: "src" }),
    );
    const paths = (index: number) =>
      (told[index] as { matches: { path: string; line: number }[] }).matches.map(
        ({ path, line }) => `${path}:${line}`,
      );
    expect(told[0]).toMatchObject({
      entries: [{ name: "c.md" }, { name: "image.bin" }, { name: "src", kind: "folder" }],
    });
    expect(told[1]).toEqual({ paths: ["src/a.ts", "src/deep/b.tsx"], total: 2 });
    expect(told[2]).toEqual({ paths: ["src/a.ts"], total: 1 });
    expect(paths(3)).toEqual(["c.md:1", "src/a.ts:1"]);
    expect(paths(4)).toEqual(["src/deep/b.tsx:1"]);
    expect(paths(5)).toEqual(["src/a.ts:1", "src/a.ts:2", "src/deep/b.tsx:1", "src/deep/b.tsx:2"]);
  });

  test("reads a long file in parts", async () => {
    put("long.txt", Array.from({ length: 10 }, (_, line) => `${line + 1}\n`).join(""));
    const { told } = await open().work(
      call("fs.read", { path: "long.txt", from: 3, lines: 2 }),
      call("fs.read", { path: "long.txt", from: 9 }),
      call("fs.read", { path: "long.txt", from: 11 }),
    );
    expect(told).toMatchObject([
      { text: "3\n4\n", next: 5, lines: 10 },
      { text: "9\n10\n" },
      { error: "TOOL_FAILED" },
    ]);
    expect(told[1]).not.toHaveProperty("next");
  });
});

describe("a file that is not as the agent saw it stays", () => {
  const version = `hmac-sha256:${"0".repeat(64)}`;
  const refused: readonly (readonly [string, object])[] = [
    ["fs.write", { path: "a.txt", text: "mine" }],
    ["fs.write", { path: "a.txt", text: "mine", version }],
    ["fs.edit", { path: "a.txt", version, edits: [{ from: "theirs", to: "mine" }] }],
    ["fs.move", { path: "a.txt", to: "b.txt", version }],
    ["fs.delete", { path: "a.txt", version }],
  ];
  test.each(refused)("%s %j", async (tool, input) => {
    put("a.txt", "theirs");
    const { told } = await open().work(call(tool, input));
    expect(told).toMatchObject([
      { error: "TOOL_FAILED", reason: expect.stringContaining("not as you saw it last") },
    ]);
    expect(textAt("a.txt")).toBe("theirs");
  });

  test("an edit whose piece stands twice, or not at all, changes nothing", async () => {
    put("a.txt", "aa b");
    for (const from of ["a", "c"]) {
      const edits = [
        { from: "b", to: "B" },
        { from, to: "x" },
      ];
      const read = call("fs.read", { path: "a.txt" });
      const { told } = await open().work(read, withVersion("fs.edit", { path: "a.txt", edits }));
      expect(told.at(-1)).toMatchObject({ error: "TOOL_FAILED" });
      expect(textAt("a.txt")).toBe("aa b");
    }
  });

  test("nothing is moved onto a file", async () => {
    put("a.txt", "a");
    put("b.txt", "b");
    const { told } = await open().work(
      call("fs.read", { path: "a.txt" }),
      withVersion("fs.move", { path: "a.txt", to: "b.txt" }),
    );
    expect(told.at(-1)).toMatchObject({ error: "TOOL_FAILED" });
    expect([textAt("a.txt"), textAt("b.txt")]).toEqual(["a", "b"]);
  });
});

describe("a term of the grant decides", () => {
  const src = grantTerms.files("site", { paths: ["src/**"], verbs: ["read"] });
  const cases: readonly (readonly [string, object, boolean])[] = [
    ["fs.read", { path: "src/a.ts" }, true],
    ["fs.read", { path: "secret.txt" }, false],
    ["fs.list", { folder: "src" }, true],
    ["fs.list", {}, false],
    ["fs.glob", { folder: "src", pattern: "**" }, true],
    ["fs.glob", { pattern: "src/**" }, false],
    ["fs.grep", { folder: "src", pattern: "a" }, true],
    ["fs.grep", { pattern: "a" }, false],
    ["fs.write", { path: "src/b.ts", text: "" }, false],
  ];
  test.each(cases)("%s %j: %s", async (tool, input, isAllowed) => {
    put("src/a.ts", "a\n");
    put("secret.txt", "a\n");
    const { told } = await open([src]).work(call(tool, input));
    expect((told[0] as { error?: string }).error).toBe(isAllowed ? undefined : "POLICY_DENIED");
  });

  test("a pattern for one level covers no search of all levels", async () => {
    put("src/a/secret.ts", "a\n");
    const flat = grantTerms.files("site", { paths: ["src/*"], verbs: ["read"] });
    const { told } = await open([flat]).work(
      call("fs.list", { folder: "src" }),
      call("fs.grep", { folder: "src", pattern: "a" }),
    );
    expect(told).toMatchObject([{ total: 1 }, { error: "POLICY_DENIED" }]);
  });

  test("without a term everything is denied", async () => {
    put("a.ts", "a");
    expect((await open([]).work(call("fs.read", { path: "a.ts" }))).told).toMatchObject([
      { error: "POLICY_DENIED" },
    ]);
  });
});
