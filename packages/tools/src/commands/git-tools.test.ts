import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, openDesk, type Step } from "../agent-desk.test.data.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { GIT_MESSAGE_LENGTH_MAX, GIT_PATHS_MAX, gitTools } from "./git-tools.ts";
import { type ProgramDocument, programTool } from "./program-tool.ts";

let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
  chmodSync(join(place.folder, ".."), 0o755);
  execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: place.folder });
  writeFileSync(join(place.folder, "a.txt"), "one\n");
});
afterEach(() => place.remove());

const call =
  (tool: string, input: object): Step =>
  () => ({ tool, input });
const at = (path: string) => join(place.folder, path);
const author = { name: "Agent", email: "agent@example.com" };
const terms = [
  grantTerms.commands("site", { commands: ["git/*", "wc/**", "cat"] }),
  grantTerms.commands("site", { profile: "workspace-write", commands: ["git/commit"] }),
];

function open() {
  if (process.getuid?.() === 0)
    for (const name of ["", ...readdirSync(place.folder, { recursive: true }).map(String)])
      chownSync(at(name), 65_534, 65_534);
  const { folder } = place;
  const git = gitTools({ root: "site", folder, sandbox: bubblewrap(), author });
  return openDesk({ tools: [git.status, git.diff, git.commit], terms, folder });
}

test("an agent looks, commits, and sees that nothing is left", async () => {
  const { told } = await open().work(
    call("git.status", {}),
    call("git.commit", { message: "one: first", paths: ["a.txt"] }),
    call("git.status", {}),
  );
  expect(told).toMatchObject([
    { exit: 0, stdout: expect.stringContaining("?? a.txt") },
    { exit: 0, stdout: expect.stringMatching(/^[0-9a-f]{40}\n$/) },
    { stdout: "## main\n" },
  ]);
  const log = execFileSync("git", ["-c", "safe.directory=*", "log", "--format=%an %s"], {
    cwd: place.folder,
  });
  expect(log.toString()).toBe("Agent one: first\n");
});

test("paths and messages have limits", async () => {
  const code = async (input: object) => (await open().call("git.commit", input))["code"];
  const paths = (count: number) => Array.from({ length: count }, () => "a.txt");
  expect(await code({ message: "x", paths: paths(GIT_PATHS_MAX) })).toBeUndefined();
  expect(await code({ message: "x", paths: paths(GIT_PATHS_MAX + 1) })).toBeDefined();
  const message = "x".repeat(GIT_MESSAGE_LENGTH_MAX);
  expect(await code({ message, paths: ["a.txt"] })).toBeUndefined();
  expect(await code({ message: `${message}x`, paths: ["a.txt"] })).toBeDefined();
});

const input = { type: "object", properties: { file: {} } };
const count: ProgramDocument = {
  ...{ name: "words.count", description: "Counts words", input },
  argv: ["wc", "-w", "{{file}}"],
};
const workspaceOf = () => ({ root: "site", folder: place.folder, sandbox: bubblewrap() });

test("a program is a tool by a document", async () => {
  open();
  const echo = programTool(
    { ...count, name: "json.echo", argv: ["cat"], stdin: "json" },
    workspaceOf(),
  );
  const tools = [programTool(count, workspaceOf()), echo];
  const { told } = await openDesk({ tools, terms, folder: place.folder }).work(
    call("words.count", { file: "a.txt" }),
    call("json.echo", { file: "a.txt" }),
    call("words.count", { file: "-c" }),
    call("words.count", { file: "--files0-from=/etc/passwd" }),
    call("words.count", { file: { a: 1 } }),
    call("words.count", {}),
  );
  expect(told).toMatchObject([
    { stdout: "1 a.txt\n" },
    { stdout: '{"file":"a.txt"}' },
    ...[1, 2, 3, 4].map(() => ({ error: expect.any(String) })),
  ]);
});

test.each([
  [{ name: "count" }, "no name"],
  [{ argv: [] }, "no fixed program"],
  [{ argv: ["{{file}}"] }, "no fixed program"],
  [{ argv: ["wc", "--file={{file}}"] }, "neither fixed nor one field"],
])("a document with %j is refused", (change, why) => {
  mkdirSync(at("d"));
  expect(() => programTool({ ...count, ...change }, workspaceOf())).toThrow(why);
});
