// The workflows of the package in a folder of a person: the command itself, each time in a process
// of its own, and a model behind the API of a provider.
import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CoderModel, openCoderModel } from "./coder-model.ts";

const main = fileURLToPath(new URL("../apps/cli/src/main.ts", import.meta.url));
const TASK = ["--task", "make the failing test pass"];

const FILES = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/sum.js":
    "export const sum = (list) => list.reduce((total, number) => total - number, 0);\r\n",
  "src/sum.test.js": [
    'import assert from "node:assert";',
    'import { test } from "node:test";',
    'import { sum } from "./sum.js";',
    'test("adds", () => assert.equal(sum([1, 2, 3]), 6));',
    "",
  ].join("\n"),
};

let model: CoderModel;
let folder: string;

beforeEach(async () => {
  model = await openCoderModel();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "turnseal-dwim-")));
  // Commands of root run under another account.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "src"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});
afterEach(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command; `killAt` kills its process at the first of its lines that matches. */
function turnseal(args: readonly string[], killAt?: RegExp, cwd = folder): Promise<Ended> {
  const child = spawn(process.execPath, ["--conditions=turnseal-source", main, ...args], {
    cwd,
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1" },
      TURNSEAL_OPENAI_COMPATIBLE_URL: model.url,
    },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
    if (killAt?.test(err) === true) child.kill("SIGKILL");
  });
  model.onRequest = () => {
    if (killAt === undefined || !killAt.test("request")) return;
    child.kill("SIGKILL");
  };
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

const read = (name: string): string => readFileSync(join(folder, name), "utf8");

/** Every file of the folder but those of the command. */
function readAll(): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(".turnseal"))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

const FIXED = FILES["src/sum.js"].replace("total - number", "total + number");

test("an agent asks once, survives two kills, passes, verifies, and is taken back", {
  timeout: 300_000,
}, async () => {
  expect(await turnseal(["init", "--workflow", "dwim"])).toMatchObject({ code: 0 });
  const before = readAll();

  const first = await turnseal(["run", "dwim", ...TASK]);
  expect(first).toMatchObject({ code: 2, out: expect.stringContaining("fs.edit needs approval") });
  expect(readAll()).toEqual(before);
  const card = await turnseal(["inbox", "last"]);
  expect(card.out.replaceAll(/\s+/g, " ")).toContain("because the first change of this run");
  expect(card.out).toContain('"total + number"');

  await turnseal(["approve", "last"]);
  // The edit is made and recorded, and the model is asked what is next.
  expect(await turnseal(["resume", "last"], /request/)).toMatchObject({ code: null });
  expect(read("src/sum.js")).toBe(FIXED);
  // The tests run.
  expect(await turnseal(["resume", "last"], /▸ test [\s\S]*▸ test /)).toMatchObject({ code: null });
  const last = await turnseal(["resume", "last"]);
  expect(last).toMatchObject({ code: 0, err: expect.any(String) });
  expect(last.out).toContain("The tests pass. I changed an operator in src/sum.js.");
  expect(last.out).toMatch(/^did\n(.*\n)*? {2}edit src\/sum\.js\n/m);
  expect(readAll()).toEqual({ ...before, "src/sum.js": FIXED });

  const exported = await turnseal(["export", "last", "--out", ".turnseal/run.json"]);
  expect(exported.code).toBe(0);
  const verified = await turnseal(["verify", ".turnseal/run.json"]);
  expect(verified.code).toBe(0);
  expect(verified.out.match(/fs\.edit \(event/g)).toHaveLength(1);
  expect(verified.out).toContain("rule first-change");

  expect((await turnseal(["rollback", "last"])).code).toBe(2);
  await turnseal(["approve", "last"]);
  expect(await turnseal(["resume", "last"])).toMatchObject({ code: 0 });
  expect(readAll()).toEqual(before);
});

test("a rejected change is not made, and the agent says so", async () => {
  await turnseal(["init", "--workflow", "dwim"]);
  const before = readAll();
  await turnseal(["run", "dwim", ...TASK]);
  await turnseal(["reject", "last", "--reason", "not today"]);
  const { out } = await turnseal(["resume", "last"]);
  expect(out).toContain("I could not go on");
  expect(readAll()).toEqual(before);
});

test("a run goes on in no other folder than its own", async () => {
  await turnseal(["init", "--workflow", "dwim"]);
  await turnseal(["run", "dwim", ...TASK]);
  await turnseal(["approve", "last"]);
  const other = join(folder, "src");
  const place = ["last", "--store", join(folder, ".turnseal")];
  for (const command of ["resume", "drift"]) {
    const refused = await turnseal([command, ...place], undefined, other);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain(`the run works in the folder ${folder}`);
    expect(refused.err).toContain(`cd ${folder}`);
  }
  expect(read("src/sum.js")).toBe(FILES["src/sum.js"]);
});

describe("the tests, and no model, decide that they pass", () => {
  test("after a change that is right", async () => {
    await turnseal(["init", "--workflow", "fix-tests"]);
    expect((await turnseal(["run", "fix-tests"])).code).toBe(2);
    await turnseal(["approve", "last"]);
    const { code, out } = await turnseal(["resume", "last"]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("pass 1") });
    expect(read("src/sum.js")).toBe(FIXED);
  });

  test("and where nothing helps, the run fails", async () => {
    const wrong = FILES["src/sum.test.js"].replace(", 6)", ", 7)");
    writeFileSync(join(folder, "src/sum.test.js"), wrong);
    await turnseal(["init", "--workflow", "fix-tests"]);
    const { code, out } = await turnseal(["run", "fix-tests"]);
    expect(code).toBe(1);
    expect(out).not.toContain("goal-reached");
    expect(read("src/sum.js")).toBe(FILES["src/sum.js"]);
  });
});

describe("a run is refused before it starts", () => {
  test.each([
    ["without a task", ["run", "dwim"], "dwim has no task", "--task '<what to do>'"],
    [
      "without a model",
      ["run", "dwim", ...TASK],
      "no model is configured",
      "export OPENAI_API_KEY=...  (or set the variable of another provider, and turnseal init",
    ],
    ["with two inputs", ["run", "dwim", ...TASK, "--input", "{}"], "exclude each other", "next: "],
    [
      "over a document that is there",
      ["init", "src", "--workflow", "dwim"],
      "src/dwim.toml is there already: nothing was written",
      "next: turnseal run dwim",
    ],
  ])("%s", async (_, args, problem, next) => {
    writeFileSync(join(folder, "src/dwim.toml"), "mine");
    const { code, err } = await turnseal(args);
    expect(code).toBe(64);
    expect(err).toContain(problem);
    expect(err).toContain(next);
    expect(read("src/dwim.toml")).toBe("mine");
  });
});
