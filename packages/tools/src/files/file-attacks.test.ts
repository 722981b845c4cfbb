// Attacks by a model, and by another program that changes the folder meanwhile. Each stands beside
// an allowed twin.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { JsonValue } from "@turnseal/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, dieAt, openDesk, type Step } from "../agent-desk.test.data.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { fileTools } from "./file-tools.ts";

let place: ReturnType<typeof createPlace>;
const at = (path: string) => join(place.folder, path);
beforeEach(() => {
  place = createPlace();
  writeFileSync(join(place.outside, "secret"), "secret\n");
  mkdirSync(at("src"));
  writeFileSync(at("src/a"), "one\n");
  mkdirSync(at(".git/hooks"), { recursive: true });
  writeFileSync(at(".git/config"), "[core]\n");
});
afterEach(() => place.remove());

const terms = [grantTerms.files("site", { verbs: ["read", "write", "delete"] })];
const open = () => openDesk({ tools: fileTools("site").all, terms, folder: place.folder });
const isError = (value: JsonValue | undefined) => Object.hasOwn(value as object, "error");

interface Attack {
  readonly name: string;
  readonly act?: () => void;
  readonly tool: string;
  readonly input: object;
  readonly twin: object;
}

const linkOut = () => symlinkSync(place.outside, at("way"));
const linkFile = () => symlinkSync(join(place.outside, "secret"), at("file"));
const READ = { path: "src/a" };
const attacks: readonly Attack[] = [
  { name: "above the root", tool: "fs.read", input: { path: "../outside/secret" }, twin: READ },
  { name: "absolute", tool: "fs.read", input: { path: "/etc/passwd" }, twin: READ },
  { name: "an empty name", tool: "fs.read", input: { path: "src//a" }, twin: READ },
  { name: "a backslash", tool: "fs.read", input: { path: "src\\..\\a" }, twin: READ },
  { name: "a NUL", tool: "fs.read", input: { path: "src/a\0.txt" }, twin: READ },
  { name: "a linked file", act: linkFile, tool: "fs.read", input: { path: "file" }, twin: READ },
  {
    name: "a linked folder",
    act: linkOut,
    tool: "fs.read",
    input: { path: "way/secret" },
    twin: READ,
  },
  {
    ...{ name: "a pipe", tool: "fs.read", input: { path: "pipe" }, twin: READ },
    act: () => execFileSync("mkfifo", [at("pipe")]),
  },
  {
    ...{ name: "a list of a link", act: linkOut, tool: "fs.list" },
    ...{ input: { folder: "way" }, twin: { folder: "src" } },
  },
  {
    ...{ name: "a search above", tool: "fs.grep" },
    ...{ input: { folder: "..", pattern: "s" }, twin: { folder: "src", pattern: "s" } },
  },
  {
    ...{ name: "a write through a link", act: linkOut, tool: "fs.write" },
    ...{ input: { path: "way/new", text: "x" }, twin: { path: "src/new", text: "x" } },
  },
  ...["fs.read", "fs.write"].map((tool) => ({
    ...{ name: `${tool} of git`, tool },
    input: { path: ".git/config", ...(tool === "fs.write" && { text: "[core]\nfsmonitor=x" }) },
    twin: tool === "fs.write" ? { path: ".gitignore", text: "x" } : READ,
  })),
  ...[".git/hooks/pre-commit", ".GIT/hooks/pre-commit", "src/.git/hooks/post-checkout"].map(
    (path) => ({
      ...{ name: `a hook of git, ${path}`, tool: "fs.write" },
      ...{
        input: { path, text: "#!/bin/sh" },
        twin: { path: "hooks/pre-commit", text: "#!/bin/sh" },
      },
    }),
  ),
  {
    ...{ name: "a pattern that backtracks", tool: "fs.grep" },
    ...{ input: { pattern: "^(a+)+$" }, twin: { pattern: "^a+$" } },
  },
  {
    ...{ name: "braces without an end", tool: "fs.glob" },
    ...{ input: { pattern: "{a,b}".repeat(7) }, twin: { pattern: "{a,b}".repeat(6) } },
  },
];

describe("an attack is refused, and its twin is not", () => {
  test.each(attacks)("$name: $tool", async ({ act, tool, input, twin }) => {
    act?.();
    const { told } = await open().work(
      () => ({ tool, input }),
      () => ({ tool, input: twin }),
    );
    expect(told.map(isError)).toEqual([true, false]);
    expect(JSON.stringify(told)).not.toContain("secret\\n");
    expect(readdirSync(place.outside)).toEqual(["secret"]);
    expect(readFileSync(join(place.outside, "secret"), "utf8")).toBe("secret\n");
    expect(readFileSync(at(".git/config"), "utf8")).toBe("[core]\n");
    expect(readdirSync(at(".git/hooks"))).toEqual([]);
  });

  test("a folder that is exchanged for a link between the read and the edit", async () => {
    const edits = [{ from: "one", to: "two" }];
    const { told } = await open().work(
      () => ({ tool: "fs.read", input: READ }),
      (results) => {
        renameSync(at("src"), at("moved"));
        symlinkSync(place.outside, at("src"));
        return { tool: "fs.edit", input: { ...READ, version: versionOf(results), edits } };
      },
    );
    expect(told.map(isError)).toEqual([false, true]);
    expect(readdirSync(place.outside)).toEqual(["secret"]);
    expect(readFileSync(at("moved/a"), "utf8")).toBe("one\n");
  });

  test("a search lists no link and follows none", async () => {
    linkOut();
    linkFile();
    const { told } = await open().work(
      () => ({ tool: "fs.glob", input: { pattern: "**" } }),
      () => ({ tool: "fs.grep", input: { pattern: "secret" } }),
    );
    expect(told).toMatchObject([{ paths: ["src/a"] }, { matches: [] }]);
  });
});

const versionOf = (told: readonly JsonValue[]) => (told.at(-1) as { version: string }).version;
const withVersion =
  (tool: string, input: object): Step =>
  (told) => ({ tool, input: { ...input, version: versionOf(told) } });

describe("a process that dies at any append", () => {
  const work: readonly Step[] = [
    () => ({ tool: "fs.read", input: READ }),
    withVersion("fs.edit", { ...READ, edits: [{ from: "one", to: "one one" }] }),
    withVersion("fs.edit", { ...READ, edits: [{ from: "\n", to: "\n\n" }] }),
    withVersion("fs.move", { ...READ, to: "b" }),
    () => ({ tool: "fs.write", input: { path: "c", text: "c" } }),
    withVersion("fs.delete", { path: "c" }),
  ];
  test.each(["before", "after"] as const)("%s: each change is made once", async (when) => {
    for (let append = 1; ; append++) {
      rmSync(place.folder, { recursive: true });
      mkdirSync(at("src"), { recursive: true });
      writeFileSync(at("src/a"), "one\n");
      const death = dieAt(append, when);
      const desk = open();
      const { run, told } = await desk.workThroughDeath(death.see, ...work);
      expect(told.map(isError), `append ${append}`).toEqual(work.map(() => false));
      expect(readFileSync(at("b"), "utf8"), `append ${append}`).toBe("one one\n\n");
      expect(readdirSync(place.folder).toSorted()).toEqual(["b", "src"]);
      expect(await desk.findings(run)).toEqual([]);
      if (!death.hasDied()) break;
    }
  });
});
