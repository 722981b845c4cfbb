// A project is made and nothing else: what is there is never written over. What a project does is
// tried from the packed packages, in tools/release/try-creation.ts.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { KEYS, PURPOSES } from "@turnseal/runtime/project";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runProgram } from "../program.ts";
import { readWritten } from "../read-written.test.data.ts";
import { createScreen } from "../terminal/screen.ts";
import { EXAMPLE_NAMES } from "./example-names.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-init-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** With lines, a person sits at a terminal and types them. */
async function run(args: readonly string[], lines?: readonly string[]) {
  const stdin = Readable.from((lines ?? []).map((line) => `${line}\n`));
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  if (lines !== undefined) for (const end of [stdin, stdout]) Object.assign(end, { isTTY: true });
  const code = await runProgram(["init", ...args], {
    ...{ environment: {}, stdin, stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  return { code, out: readWritten(stdout), err: readWritten(stderr) };
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

describe("a project", () => {
  test.each(PURPOSES)(
    "for a %s has a loop, a script, a grant, rules and a test",
    async (purpose) => {
      const folder = join(root, "My Agent");
      const { code, out } = await run([folder, "--for", purpose]);
      expect(code).toBe(0);
      expect(out).toContain(`a ${purpose}, without a key`);
      expect(listFiles(folder)).toEqual([
        ...[".gitignore", "README.md", "grant.json"],
        ...[expect.stringMatching(/^loops.\w+\.(ts|toml)$/), join("loops", "script.ts")],
        ...(purpose === "workflow" ? [join("loops", "tools.ts")] : []),
        ...["package.json", "policy.toml", expect.stringMatching(/^tests.\w+\.harness\.json$/)],
        "tsconfig.json",
      ]);
      expect(readManifest(folder)).toMatchObject({ name: "my-agent", type: "module" });
      const page = readFileSync(join(folder, "README.md"), "utf8");
      expect(page.trim().split("\n").length).toBeLessThanOrEqual(10);
    },
  );

  test.each(KEYS.filter((key) => key !== "none"))(
    "with a key asks %s, and has no script",
    async (key) => {
      const folder = join(root, "agent");
      const { out } = await run([folder, "--key", key]);
      expect(out).toContain("_API_KEY=<your key>");
      expect(listFiles(folder)).not.toContain(join("loops", "script.ts"));
      expect(readFileSync(join(folder, "loops/refund.ts"), "utf8")).toContain(`{ id: "${key}" }`);
      expect(Object.keys(readManifest(folder).dependencies)).toContain(`@ai-sdk/${key}`);
    },
  );

  test("for a workflow with a key asks it in the TOML file", async () => {
    const folder = join(root, "agent");
    await run([folder, "--for", "workflow", "--key", "openai"]);
    const text = readFileSync(join(folder, "loops/announce.toml"), "utf8");
    expect(text).toContain('provider = "openai"\n');
    expect(listFiles(folder)).not.toContain(join("loops", "script.ts"));
  });

  test("is asked for on a terminal, again after a word that is none", async () => {
    const folder = join(root, "agent");
    const { out } = await run([folder], ["poem", "chat", ""]);
    expect(out).toContain("What for? task, chat, workflow [task]");
    expect(out).toContain("a chat, without a key");
  });

  test("with what is given is not asked for", async () => {
    const args = [join(root, "agent"), "--for", "workflow", "--key", "none"];
    expect((await run(args, [])).out).not.toContain("What for?");
  });
});

test.each(EXAMPLE_NAMES)("the example %s is copied with what it needs", async (example) => {
  const folder = join(root, example);
  const { code } = await run([folder, "--example", example]);
  expect(code).toBe(0);
  expect(listFiles(folder)).toEqual(
    expect.arrayContaining(["loops.ts", "main.ts", "package.json"]),
  );
  expect(listFiles(folder).filter((file) => /\.test\.|^loops.|expected/.test(file))).toEqual([
    "loops.ts",
  ]);
});

describe("nothing is written", () => {
  test("into a folder with anything in it", async () => {
    writeFileSync(join(root, "mine.txt"), "mine");
    const { code, err } = await run([root]);
    expect(code).toBe(64);
    expect(err).toContain("is not an empty folder: nothing was written");
    expect(listFiles(root)).toEqual(["mine.txt"]);
  });

  test.each([
    ["by its name", "used", [], "used-2"],
    ["by its name and a slash", "used/", [], "used-2"],
    ["by the next name, too", "used", ["used-2", "used-3"], "used-4"],
    ["by where somebody stands", "used/.", [], "used/my-agent"],
    [
      "by where somebody stands, with an agent in it",
      "used/.",
      ["used/my-agent"],
      "used/my-agent-2",
    ],
    ["from a folder in it", "used/my-agent/..", ["used/my-agent"], "used/my-agent-2"],
  ])(
    "into a used folder that is named %s, and another is named",
    async (_, typed, others, free) => {
      for (const folder of ["used", ...others]) {
        mkdirSync(join(root, folder), { recursive: true });
        writeFileSync(join(root, folder, "mine.txt"), "mine");
      }
      const { code, err } = await run([`${root}/${typed}`, "--for", "workflow", "--key", "openai"]);
      expect(code).toBe(64);
      expect(err).toContain(
        `next: turnseal init ${join(root, free)} --for workflow --key openai\n`,
      );
    },
  );

  test("over an example of that name: the next command still makes the example", async () => {
    writeFileSync(join(root, "mine.txt"), "mine");
    const { err } = await run([`${root}/.`, "--example", "refund"]);
    expect(err).toContain(`next: turnseal init ${join(root, "refund")} --example refund\n`);
  });

  test("over a file of that name", async () => {
    writeFileSync(join(root, "agent"), "mine");
    expect((await run([join(root, "agent")])).code).toBe(64);
    expect(readFileSync(join(root, "agent"), "utf8")).toBe("mine");
  });

  test.each([
    ["--for", "poem"],
    ["--key", "acme"],
    ["--example", "chat"],
    ["--example", "refund", "--for", "task"],
  ])("for what is not known: %s %s", async (...args) => {
    const { code } = await run([join(root, "agent"), ...args]);
    expect(code).toBe(64);
    expect(listFiles(root)).toEqual([]);
  });
});
