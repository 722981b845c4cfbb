// The verbs of workflows: the tools of this package, with a target and arguments.
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, openDesk, type Step } from "../agent-desk.test.data.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { openWorkspace } from "./open-workspace.ts";
import { workspaceTerms } from "./workspace-terms.ts";
import { workspaceVerbs } from "./workspace-verbs.ts";

let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
  chmodSync(join(place.folder, ".."), 0o755);
  writeFileSync(join(place.folder, "a.txt"), "one\ntwo\n");
});
afterEach(() => place.remove());

const call =
  (tool: string, target: string, ...args: readonly string[]): Step =>
  () => ({ tool, input: { target, args } });

function open(program = "bwrap") {
  const { folder } = place;
  const tools = workspaceVerbs({
    ...{ root: "site", folder, env: {} },
    sandbox: bubblewrap({ program }),
  });
  const named = tools.map(({ definition }) => definition.tool?.implementation ?? "");
  return openDesk({ tools, terms: workspaceTerms("site", named), folder });
}

const edit =
  (from: string, to: string): Step =>
  (told) => {
    const { version } = told.at(-1) as { version: string };
    return { tool: "fs.edit", input: { target: "a.txt", args: [from, to, version] } };
  };

test("a verb does what its tool does, and a command tells whether it failed", async () => {
  const desk = open();
  const { run, told } = await desk.work(
    call("fs.grep", "t.o"),
    call("fs.read", "a.txt"),
    edit("two", "three"),
    call("process.run", "cat", "a.txt"),
    call("process.run", "cat", "b.txt"),
    call("process.run", "touch", "b.txt"),
  );
  expect(told).toMatchObject([
    { matches: [{ path: "a.txt", line: 2 }] },
    { text: "one\ntwo\n" },
    { path: "a.txt" },
    { stdout: "one\nthree\n", errors: false },
    { exit: 1, errors: true },
    { exit: 1, errors: true, stderr: expect.stringContaining("Read-only file system") },
  ]);
  expect(await desk.findings(run)).toEqual([]);
});

test("an edit of another version changes nothing", async () => {
  const { told } = await open().work(call("fs.edit", "a.txt", "two", "three", "sha256:0"));
  expect(told).toMatchObject([{ error: "TOOL_FAILED" }]);
  expect(readFileSync(join(place.folder, "a.txt"), "utf8")).toBe("one\ntwo\n");
});

test.each([
  ["fs.edit", ["a.txt", "two", "three"]],
  ["fs.read", ["a.txt", "more"]],
  ["web.fetch", ["https://example.com", "more"]],
] as const)("%s refuses another number of arguments", async (tool, [target, ...args]) => {
  const { told } = await open().work(call(tool, target, ...args));
  expect(told).toMatchObject([{ error: "INPUT_VALIDATION_FAILED" }]);
});

test("without a sandbox commands are refused with the remedy, and files change", async () => {
  const { told } = await open("/no/bwrap").work(
    call("process.run", "cat", "a.txt"),
    call("fs.read", "a.txt"),
    edit("two", "three"),
  );
  expect(told).toMatchObject([
    { error: "TOOL_FAILED", reason: expect.stringContaining("apt-get install bubblewrap") },
    { text: "one\ntwo\n" },
    { path: "a.txt" },
  ]);
  expect(readFileSync(join(place.folder, "a.txt"), "utf8")).toBe("one\nthree\n");
});

describe("terms are those that the tools need", () => {
  const listVerbs = (tools: readonly string[]) =>
    workspaceTerms("here", tools).map(({ family, verbs, bounds }) => [family, verbs, bounds]);

  test.each([
    [[], []],
    [["git.diff"], [["turnseal.command", ["execute"], { paths: ["git/diff"] }]]],
    [["fs.read"], [["workspace", ["read"], {}]]],
    [["fs.edit"], [["workspace", ["write"], {}]]],
    [["fs.move"], [["workspace", ["write", "delete"], {}]]],
    [["web.fetch"], [["network", ["read"], {}]]],
  ] as const)("of %j", (tools, terms) => expect(listVerbs(tools)).toEqual(terms));
});

test("the folder of a command has every verb of the documents", () => {
  const ids = openWorkspace("here").map(({ definition }) => definition.id);
  expect(ids.toSorted()).toEqual([
    ...["delete", "diff", "edit", "find", "list", "move"],
    ...["read", "run", "search", "test", "web", "write"],
  ]);
});
