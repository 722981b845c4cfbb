import { chmodSync, chownSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Term } from "@turnseal/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, openDesk, type Step } from "../agent-desk.test.data.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { unsandboxed } from "../sandbox/unsandboxed.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import {
  ARGUMENT_LENGTH_MAX,
  ARGUMENTS_MAX,
  type CommandToolsOptions,
  commandTools,
} from "./command-tools.ts";
import { needCommand } from "./need-command.ts";

let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
  chmodSync(join(place.folder, ".."), 0o755);
  writeFileSync(join(place.folder, "a.txt"), "one\n");
  // Commands take the account of the workspace, and none runs as root.
  if (process.getuid?.() === 0) chownSync(place.folder, 65_534, 65_534);
});
afterEach(() => place.remove());

const call =
  (tool: string, input: object): Step =>
  () => ({ tool, input });
type Options = Partial<CommandToolsOptions>;
function open(terms: readonly Term[], options: Options = {}) {
  const { folder } = place;
  const whole = { root: "site", folder, sandbox: bubblewrap(), ...options };
  const { run, shell, test: tests } = commandTools({ tests: ["cat"], ...whole });
  return openDesk({ tools: [run, shell, tests], terms, folder });
}
const reading = grantTerms.commands("site");
const writing = grantTerms.commands("site", { profile: "workspace-write" });

test("commands read, write and test", async () => {
  const read = await open([reading]).work(
    call("process.run", { argv: ["cat", "a.txt"] }),
    call("process.shell", { command: "cat a.txt | tr o 0" }),
    call("test.run", { more: ["a.txt"] }),
    call("process.run", { argv: ["touch", "b.txt"] }),
  );
  expect(read.told).toMatchObject([
    { exit: 0, stdout: "one\n" },
    { stdout: "0ne\n" },
    { stdout: "one\n" },
    { exit: 1 },
  ]);
  const desk = open([writing], { profile: "workspace-write" });
  const { run, told } = await desk.work(call("process.shell", { command: "echo x > b.txt" }));
  expect(told).toMatchObject([{ exit: 0 }]);
  expect(readFileSync(join(place.folder, "b.txt"), "utf8")).toBe("x\n");
  expect(await desk.findings(run)).toEqual([]);
  const claims = (await desk.stores.log.read(run, 1)).filter(
    ({ type }) => type === "action.claimed",
  );
  expect(JSON.stringify(claims)).toContain('"site:workspace-write"');
  expect(JSON.stringify(claims)).toContain('"sandbox.bubblewrap"');
});

describe("a term of the grant decides about", () => {
  const npm = grantTerms.commands("site", { commands: ["npm/test/**", "cat/*"] });
  const cases: readonly (readonly [string, readonly Term[], readonly string[], boolean])[] = [
    ["a command of its patterns", [npm], ["cat", "a.txt"], true],
    ["another command", [npm], ["ls"], false],
    ["one with more arguments", [npm], ["cat", "a.txt", "b.txt"], false],
    ["an argument with a slash", [npm], ["cat", "src/a.txt"], true],
    ["an argument that begins another pattern", [npm], ["npm/test"], false],
    ["two dots", [npm], ["cat", ".."], true],
    ["nothing, without a term", [], ["cat", "a.txt"], false],
    ["another profile", [writing], ["cat", "a.txt"], false],
    ["another stage", [grantTerms.commands("site", { stage: "none" })], ["cat", "a.txt"], false],
  ];
  test.each(cases)("%s", async (_, terms, argv, isAllowed) => {
    const { told } = await open(terms).work(call("process.run", { argv }));
    expect((told[0] as { error?: string }).error).toBe(isAllowed ? undefined : "POLICY_DENIED");
  });

  test("its time", async () => {
    const short = grantTerms.commands("site", { runtimeMs: 2_000 });
    const { told } = await open([short]).work(
      call("process.run", { argv: ["true"] }),
      call("process.run", { argv: ["true"], timeoutMs: 2_000 }),
      call("process.run", { argv: ["true"], timeoutMs: 2_001 }),
      call("process.run", { argv: ["sleep", "60"] }),
    );
    expect(told).toMatchObject([
      { exit: 0 },
      { exit: 0 },
      { error: "POLICY_DENIED" },
      { killed: "timeout" },
    ]);
  });
});

test("a command that did not start is not done, and nobody is asked about it", async () => {
  const profile = "workspace-write";
  const gone = await open([writing], { profile, folder: join(place.folder, "gone") }).work(
    call("process.run", { argv: ["touch", "b.txt"] }),
  );
  expect(gone.told).toMatchObject([
    { error: "TOOL_FAILED", reason: expect.stringContaining("cannot be opened on this worker") },
  ]);
  const long = await open([writing], { profile }).work(
    call("process.run", { argv: ["touch", "ü".repeat(ARGUMENT_LENGTH_MAX)] }),
  );
  expect(long.told).toMatchObject([
    { error: "TOOL_FAILED", reason: expect.stringContaining("its arguments are too long") },
  ]);
});

test("a second set has names of its own", () => {
  const { folder } = place;
  const named = commandTools({ root: "site", folder, sandbox: bubblewrap(), name: "build" });
  const ids = Object.values(named).map(({ definition }) => definition.id);
  expect(ids).toEqual(["build.run", "build.shell", "build.test"]);
});

test("arguments become segments of a path, and none becomes two", () => {
  const path = (...argv: string[]) =>
    needCommand({ root: "site", profile: "read-only", stage: "bubblewrap" }, { argv }).path;
  expect(path("ls", "a/b", "..", "%2F", "", ".")).toBe("ls/a%2Fb/%2E%2E/%252F/%/%2E");
});

test.each([
  ["outside of the workspace", { argv: ["ls"], startIn: "../outside" }],
  ["in an absolute folder", { argv: ["ls"], startIn: "/etc" }],
  ["with a NUL", { argv: ["ls", "a\0b"] }],
])("a command is refused %s", async (_, input) => {
  const { told } = await open([reading]).work(call("process.run", input));
  expect(told).toMatchObject([{ error: "TOOL_FAILED" }]);
});

test.each([
  [ARGUMENTS_MAX, 1, undefined],
  [ARGUMENTS_MAX + 1, 1, "INPUT_VALIDATION_FAILED"],
  [2, ARGUMENT_LENGTH_MAX, undefined],
  [2, ARGUMENT_LENGTH_MAX + 1, "INPUT_VALIDATION_FAILED"],
])("%i arguments of %i characters: %s", async (count, length, code) => {
  const argv = ["true", ...Array.from({ length: count - 1 }, () => "x".repeat(length))];
  expect((await open([reading]).call("process.run", { argv }))["code"]).toBe(code);
});

describe("without a sandbox", () => {
  test("everything is refused, and nothing was run", async () => {
    const absent = { sandbox: bubblewrap({ program: "/no/bwrap" }) };
    for (const options of [{ ...absent }, { ...absent, profile: "workspace-write" as const }]) {
      const { told } = await open([reading, writing], options).work(
        call("process.run", { argv: ["touch", "b.txt"] }),
      );
      expect(told).toMatchObject([
        { error: "TOOL_FAILED", reason: expect.stringContaining("apt-get install bubblewrap") },
      ]);
    }
    expect(readdirSync(place.folder)).toEqual(["a.txt"]);
  });

  test("a command runs only where the grant names it so", async () => {
    const bare = { sandbox: unsandboxed(), profile: "unrestricted" } as const;
    const term = grantTerms.commands("site", { profile: "unrestricted", stage: "none" });
    const input = { argv: ["cat", "a.txt"] };
    const { told } = await open([term], bare).work(call("process.run", input));
    expect(told).toMatchObject([{ exit: 0, stdout: "one\n" }]);
    const denied = await open([reading, writing], bare).work(call("process.run", input));
    expect(denied.told).toMatchObject([{ error: "POLICY_DENIED" }]);
  });
});
