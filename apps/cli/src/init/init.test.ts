// Init makes a project and nothing else: an existing file is never overwritten.
// tools/release/try-creation.ts tries the project from the packed packages.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { PURPOSES } from "@turnseal/runtime/project";
import { createScreen } from "@turnseal/terminal";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runProgram } from "../program.ts";
import { readWritten } from "../read-written.test.data.ts";
import { startProgram } from "../start-program.test.data.ts";
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

const SHIPPED: Readonly<Record<keyof typeof PURPOSES, readonly string[]>> = {
  chat: [
    ...["agents.ts", "loops/assistant.ts", "loops/model.ts", "page/index.html", "page/main.tsx"],
    ...["page/page.css", "page/part.tsx", "page/stand.ts", "policy.toml", "server.ts"],
    "tests/assistant.harness.json",
  ],
  code: [
    ...["grant.json", "loops/fix.ts", "loops/model.ts", "policy.toml", "src/price.js", "task.json"],
    ...["test/price.test.js", "tests/fix.harness.json"],
  ],
  money: [
    ...["grant.json", "loops/model.ts", "loops/refund.ts", "order.json", "policy.toml"],
    "tests/refund.harness.json",
  ],
  pipeline: [
    ...["grant.json", "loops/model.ts", "loops/research.ts"],
    ...["tests/research.harness.json", "topics.json"],
  ],
};
const NAMES = Object.keys(SHIPPED) as (keyof typeof PURPOSES)[];

describe("a project", () => {
  test.each(NAMES)("for %s is installed and started, and has a test", async (purpose) => {
    const folder = join(root, "My Agent");
    const { code, out } = await run([folder, "--for", purpose]);
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, " ")).toContain(PURPOSES[purpose]);
    expect(out).toContain("npm install\n        npm start\n");
    const always = [".gitignore", "README.md", "package.json", "tsconfig.json"];
    expect(listFiles(folder)).toEqual([...always, ...SHIPPED[purpose]].sort());
    const manifest = readManifest(folder);
    expect(manifest).toMatchObject({ name: "my-agent", type: "module" });
    expect(Object.keys(manifest.scripts)).toEqual(["start", "test"]);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("    npm start\n");
  });

  test.each(NAMES)("for %s begins with the versions that are tested here", async (purpose) => {
    await run([join(root, "agent"), "--for", purpose]);
    const { dependencies, devDependencies } = readManifest(join(root, "agent"));
    const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
    const tested = {
      ...read("../../../server/package.json").dependencies,
      ...read("../../../../package.json").devDependencies,
    };
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      if (!/turnseal/.test(name)) expect(`${name} ${version}`).toBe(`${name} ^${tested[name]}`);
  });

  test.each(NAMES)("for %s does in its test what it says", { timeout: 60_000 }, async (purpose) => {
    const tests = fileURLToPath(new URL(`../../../../templates/${purpose}/tests`, import.meta.url));
    const { ended, out, err } = startProgram(["test", tests]);
    expect(`${await ended}${err()}`).toBe("0");
    expect(out()).toContain("1 passed, 0 failed");
  });

  test("is asked for on a terminal, again after a word that is none", async () => {
    const folder = join(root, "agent");
    const { out } = await run([folder], ["poem", "money"]);
    expect(out).toContain("What for? chat, code, money, pipeline [chat]");
    expect(out.replaceAll(/\s+/g, " ")).toContain(PURPOSES.money);
  });

  test("with what is given is not asked for", async () => {
    const args = [join(root, "agent"), "--for", "pipeline"];
    expect((await run(args, [])).out).not.toContain("What for?");
  });

  test("has each purpose in the help, with a line", async () => {
    const { out } = await run(["--help"]);
    for (const [name, what] of Object.entries(PURPOSES))
      expect(out).toMatch(new RegExp(`^ {2}${name} +${what}$`, "m"));
  });
});

test("a workflow names the provider of the environment, and the others after it", async () => {
  const { ended } = startProgram(["init", root, "--workflow", "dwim"], { ANTHROPIC_API_KEY: "k" });
  expect(await ended).toBe(0);
  expect(readFileSync(join(root, "dwim.toml"), "utf8")).toMatch(
    /^provider = "anthropic" +# or openai, google, .*openai-compatible$/m,
  );
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
      const { code, err } = await run([`${root}/${typed}`, "--for", "pipeline"]);
      expect(code).toBe(64);
      expect(err).toContain(`next: turnseal init ${join(root, free)} --for pipeline\n`);
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
    ["--for", "task"],
    ["--example", "chat"],
    ["--example", "refund", "--for", "money"],
  ])("for what is not known: %s %s", async (...args) => {
    const { code } = await run([join(root, "agent"), ...args]);
    expect(code).toBe(64);
    expect(listFiles(root)).toEqual([]);
  });
});
