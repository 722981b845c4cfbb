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
const SOCKET = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])";
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
  ...[
    ...["src/./a", "src/a/", "./src/a", "src/../src/a", "~/secret", "src/a:stream", "C:/windows"],
    ...["src/a\u202e", "src/a\u200b", "src/e\u0301", "x".repeat(300), "d/".repeat(70), "src"],
    ...[".git/HEAD", ".GIT/config", ".git./config", ".git /config", "GIT~1/config", ".turnseal/x"],
    ...["src/.Git/config", ".turnseal-draft-1", "/proc/self/environ", "file:///etc/passwd"],
  ].map((path) => ({
    ...{ name: `the path ${path.slice(0, 30)}`, tool: "fs.read" },
    ...{ input: { path }, twin: READ },
  })),
  ...["..", "/", "/etc", ".git", "way", "src/..", "pipe"].map((folder) => ({
    ...{ name: `a search of ${folder}`, tool: "fs.glob" },
    ...{ input: { folder, pattern: "**" }, twin: { folder: "src", pattern: "**" } },
    act: () => {
      linkOut();
      execFileSync("mkfifo", [at("pipe")]);
    },
  })),
  ...["file", "way", "way/new", "dangling", "pipe", "src", ".turnseal/x", "../x", "/x"].map(
    (path) => ({
      ...{ name: `a write to ${path}`, tool: "fs.write" },
      ...{ input: { path, text: "x" }, twin: { path: "src/new", text: "x" } },
      act: () => {
        linkOut();
        linkFile();
        symlinkSync(join(place.outside, "new"), at("dangling"));
        execFileSync("mkfifo", [at("pipe")]);
      },
    }),
  ),
  {
    name: "a socket",
    ...{ tool: "fs.read", input: { path: "socket" }, twin: READ },
    act: () => execFileSync("python3", ["-c", SOCKET, at("socket")]),
  },
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
    const desk = open();
    const { run, told } = await desk.work(
      () => ({ tool, input }),
      () => ({ tool, input: twin }),
    );
    expect(told.map(isError)).toEqual([true, false]);
    expect(await desk.readSeal(run)).toEqual({ failed: 1, isSealed: true });
    expect(JSON.stringify(told)).not.toContain("secret\\n");
    expect(readdirSync(place.outside)).toEqual(["secret"]);
    expect(readFileSync(join(place.outside, "secret"), "utf8")).toBe("secret\n");
    expect(readFileSync(at(".git/config"), "utf8")).toBe("[core]\n");
    expect(readdirSync(at(".git/hooks"))).toEqual([]);
  });

  const changes: readonly (readonly [string, string, object])[] = [
    ["another version", "fs.edit", { version: "__proto__", edits: [{ from: "one", to: "x" }] }],
    ["no version that was shown", "fs.delete", { version: "constructor" }],
    ["the place of a hook", "fs.move", { to: ".git/hooks/pre-commit" }],
    ["a place outside", "fs.move", { to: "../outside/a" }],
    ["a place behind a link", "fs.move", { to: "way/a" }],
    ["the place of a link", "fs.move", { to: "file" }],
    ["the place of a file", "fs.move", { to: "src/b" }],
  ];
  test.each(changes)("%s: %s", async (_, tool, input) => {
    linkOut();
    linkFile();
    writeFileSync(at("src/b"), "two\n");
    const desk = open();
    const { run, told } = await desk.work(
      () => ({ tool: "fs.read", input: READ }),
      (results) => ({ tool, input: { ...READ, version: versionOf(results), ...input } }),
      () => ({ tool: "fs.read", input: READ }),
      withVersion("fs.move", { ...READ, to: "src/c" }),
    );
    expect(told.map(isError)).toEqual([false, true, false, false]);
    expect(await desk.readSeal(run)).toEqual({ failed: 1, isSealed: true });
    expect(readdirSync(place.outside)).toEqual(["secret"]);
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
