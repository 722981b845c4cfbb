// The commands about runs in this process: wrong use, and output for programs. Whole stories are in
// runs.test.ts.

import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { BUNDLE_BYTES_MAX } from "@turnseal/operate/proof";
import { uuidFrom } from "@turnseal/protocol";
import { createScreen } from "@turnseal/terminal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "../../program.ts";
import { readWritten } from "../../read-written.test.data.ts";
import { TURNS_SHOWN_MAX } from "../look/run-show.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/payments.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-commands-"));
afterAll(() => rmSync(root, { recursive: true }));

const store = join(root, "store");
const empty = join(root, "empty");
const file = (name: string): string => join(root, name);

async function run(args: readonly string[], stdin = "", environment = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram(args, {
    environment,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  const [out, err] = [readWritten(stdout), readWritten(stderr)];
  expect(out + err).not.toContain("\u001b");
  return { code, out, err };
}

/** A command about the runs of the store. */
const refundLoops = fileURLToPath(
  new URL("../../../../../examples/refund/loops.ts", import.meta.url),
);
const ask = (...args: string[]) => run([...args, "--store", store]);
const begin = (loop: string, ...more: string[]) => ask("run", loop, "--from", loops, ...more);

function readLines(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const payment = JSON.stringify({ payment: { ledger: file("ledger.txt"), actMs: 0 } });
let id = "";

beforeAll(async () => {
  const { out } = await begin("refund", "--input", payment, "--allow", "local.pay-once", "--json");
  id = String(readLines(out)[0]?.["run"]);
});

describe("wrong use ends with 64, what is wrong, and what to try", () => {
  test.each([
    [["run"], "missing required argument 'loop'", "next: turnseal run --help"],
    [
      ["run", "x", "--from", "nowhere"],
      "nowhere does not exist",
      "next: the same command with --from",
    ],
    [
      ["run", "x", "--input", "{"],
      "--input is not valid JSON: an object is not closed, at line 1, column 2",
      "next: turnseal run x --input '<json>'",
    ],
    [["run", "x", "--input-file", root], "cannot be read (EISDIR)", "next: turnseal run x --input"],
    [
      ["run", "x", "--guidance", root],
      "cannot be guidance",
      "next: turnseal run x --guidance <file>",
    ],
    [
      ["run", "x", "--timezone", "Europe/Berlin"],
      "--timezone needs --every",
      "next: turnseal run x --every",
    ],
    [
      ["run", "x", "--key", ""],
      "--key <key>' argument '' is invalid. The value is empty.",
      "next: ",
    ],
    [["run", "x", "--store", ""], "--store takes a folder", "next: turnseal run --help"],
    [["run", "count", "--from", loops, "--await", ""], "names of signals", "count --await message"],
    [["run", "refund", "--from", loops, "--budget", "x=1"], "the units are", "next: turnseal run"],
    [["run", "refund", "--from", loops, "--goal", "x"], "path=value", "next: turnseal run refund"],
    [
      ["run", "refund", "--from", loops, "--allow", "local.pay-onc", "--store", store],
      "did you mean local.pay-once?",
      "next: turnseal run refund --allow <tool,...>",
    ],
    [
      ["run", "refund", "--from", refundLoops, "--input", "{}", "--store", store],
      "the input does not fit refund: /order: is missing",
      `next: turnseal loops refund --from ${refundLoops}`,
    ],
    [["run", "refund", "--turns-max", "0"], "Write a number from 1 to 1000000.", "next: "],
    [["run", "x", "--on-rounds-exhausted", "maybe"], "choices are stop, continue.", "next: "],
    [["resume", "--store", empty], "there are no runs in", "next: turnseal run <loop>"],
    [["runs", "--store", empty], "there are no runs in", "next: turnseal run <loop>"],
    [["show", "--store", store], "missing required argument 'run'", "next: turnseal show --help"],
    [["show", "zzz", "--store", store], "there is no run zzz", "next: turnseal runs"],
    [["show", "", "--store", store], "there is no run", "next: turnseal runs"],
    [["explain", "zzz", "--store", store], "there is no run zzz", "next: turnseal runs"],
    [["context", "zzz", "--store", store], "there is no run zzz", "next: turnseal runs"],
    [["context", "last", "--turn", "0"], "Write a number from 1 to 1000000.", "next: "],
    [["signal", "last", "hi", "--payload", "{", "--store", store], "is not JSON", "next: turns"],
    [
      ["signal", "last", "", "--store", store],
      "The value is empty.",
      "next: turnseal signal --help",
    ],
    [["cancel", "zzz", "--store", store], "there is no run zzz", "next: turnseal runs"],
    [["resolve", "last", "--store", store], "missing required argument", "next: turnseal resolve"],
    [["resolve", "last", "maybe", "--store", store], "one of happened, retry, abandon", "next: "],
    [["resolve", "last", "a", "b", "retry", "--store", store], "must be one of happened", "next: "],
    [
      ["resolve", "last", "retry", "--result", "1", "--store", store],
      "is only for happened",
      "next",
    ],
    [["resolve", "last", "retry", "--store", store], "no action of the run waits", "next: turn"],
    [["verify", "zzz", "--store", store], "there is no run zzz", "next: turnseal runs"],
    [
      ["verify", root, "--store", store],
      `${root}: the file cannot be read (EISDIR)`,
      "next: turns",
    ],
    [
      ["verify", "gone.json", "--store", empty],
      "gone.json does not exist",
      "next: turnseal verify",
    ],
    [
      ["replay", "last", "--from", "gone", "--store", store],
      "gone does not exist",
      "same command with --from",
    ],
    [["verify", "last", "--keys", "nowhere", "--store", store], "nowhere: ", "next: turnseal keys"],
    [["replay", "zzz", "--store", store], "there is no run zzz", "next: turnseal runs"],
    [["export", "zzz", "--store", store], "there is no run zzz", "next: turnseal runs"],
    [
      ["run", "peek", "--policy", "gone.toml", "--store", empty],
      "gone.toml: the file does not exist",
      "next: the same command with --policy <file>",
    ],
    [["erase", "last", "--store", store], "no terminal to confirm", "--yes"],
    [["keys", "sell", "--store", store], "list, rotate, export, trust", "next: turnseal keys"],
    [["keys", "trust", "k", "--store", store], "no database is given", "next: turnseal keys trust"],
  ])("turnseal %j", async (args, message, next) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err).toContain(message);
    expect(err).toContain(next);
  });

  test("only a prompt with a thread goes on past its rounds", async () => {
    const { code, err } = await begin("peek", "--on-rounds-exhausted", "continue");
    expect(code).not.toBe(0);
    expect(err).toContain("only for a prompt with a thread, and peek has none");
  });

  test("a loop that is not there is said to be missing", async () => {
    expect(await begin("nothing")).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /LOOP_NOT_FOUND {2}there is no loop nothing\n {2}next: turnseal loops --from \S/,
      ),
    });
  });

  test("an export does not write over a file", async () => {
    writeFileSync(file("precious.txt"), "mine");
    const { code, err } = await ask("export", "last", "--out", file("precious.txt"));
    expect(code).toBe(64);
    expect(err).toContain("exists already");
    expect(readFileSync(file("precious.txt"), "utf8")).toBe("mine");
  });
});

describe("a run without a grant", () => {
  test("says that it may execute no tool, and executes none", async () => {
    const ledger = file("denied.txt");
    const input = JSON.stringify({ payment: { ledger, actMs: 0 } });
    const { err } = await begin("refund", "--input", input);
    expect(err).toContain("note: no tool is granted: the run cannot execute any");
    expect(err).toContain("note: not granted: local.pay-once");
    expect(() => readFileSync(ledger)).toThrow();
  });

  test("verifies all the same: what was denied is sealed", async () => {
    expect((await ask("verify", "last")).code).toBe(0);
  });
});

describe("a goal", () => {
  test("is waited for turn by turn, each with why there is a next one", async () => {
    // The model counts on from run to run, so this goal begins at where it stands.
    const before = readLines((await begin("count", "--json", "--content")).out).at(-1);
    const goal = `output.count>=${Object(before?.["output"]).count + 3}`;
    const { code, out } = await begin("count", "--goal", goal, "--json");
    expect(code).toBe(0);
    const turns = readLines(out).filter((event) => event.type === "turn");
    expect(
      turns.map(({ decision, decisionReason, next }) => [decision, decisionReason, next]),
    ).toEqual([
      ["continue", "goal-not-reached", true],
      ["continue", "goal-not-reached", true],
      ["stop", "goal-reached", false],
    ]);
    expect((await ask("replay", "last")).code).toBe(0);
  });

  test("that is not reached in time stops the run, which ends with 1", async () => {
    const flags = ["--goal", "output.count=none", "--turns-max", "2", "--json"];
    const { code, out } = await begin("count", ...flags);
    expect(code).toBe(1);
    expect(readLines(out).at(-1)).toMatchObject({ type: "stopped", reason: "turns-exhausted" });
  });

  test("a budget that is used up stops it as well", async () => {
    const flags = ["--goal", "output.count=none", "--budget", "modelCalls=1", "--json"];
    const { code, out } = await begin("count", ...flags);
    expect(code).toBe(1);
    expect(readLines(out).at(-1)).toMatchObject({ type: "stopped", reason: "budget-exhausted" });
  });
});

describe("a run that awaits a signal", () => {
  test("waits for it, says so everywhere, and takes one turn for each", async () => {
    const { code, out } = await begin("count", "--await", "message", "--turns-max", "3", "--json");
    expect(code).toBe(2);
    const lines = readLines(out);
    expect(lines.at(-1)).toMatchObject({ type: "waiting", for: "signal", signals: ["message"] });
    const chat = String(lines[0]?.["run"]);
    expect((await ask("runs")).out).toContain("waiting: signal message");
    expect((await ask("explain", chat)).out).toContain("next: turnseal signal");
    const asked = await ask("inbox", chat);
    expect(asked).toMatchObject({ code: 0, err: "" });
    expect(asked.out).toContain("waiting for message");
    expect(asked.out).toContain("next: turnseal signal");
    expect(JSON.parse((await ask("inbox", chat, "--json")).out)).toMatchObject([
      { run: chat, signals: ["message"] },
    ]);
    // Waiting for a signal is no request to a person: the list of those leaves it out.
    expect((await ask("inbox")).out).not.toContain(chat.slice(0, 8));
    for (const key of ["a", "b"]) await ask("signal", chat, "message", "--key", key);
    const resumed = readLines((await ask("resume", chat, "--from", loops, "--json")).out);
    const turns = resumed.filter((event) => event.type === "turn");
    expect(turns.map(({ decision, decisionReason }) => [decision, decisionReason])).toEqual([
      ["continue", "signal-received"],
      ["stop", "turns-exhausted"],
    ]);
  });

  test.each([
    [["--every", "61 * * * *"], "five fields"],
    [["--every", "0 0 30 2 *"], "never comes"],
    [["--every", "0 9 * * *", "--timezone", "Mars/Olympus"], "unknown `timezone`"],
  ])("a time that cannot be read is refused: %j", async (flags, problem) => {
    const { code, err } = await begin("count", ...flags);
    expect(code).toBe(64);
    expect(err).toContain(problem);
    expect(err).toContain("next: turnseal run count --every");
  });
});

describe("programs are given", () => {
  test("one object per line by a run", async () => {
    const { code, out, err } = await begin("count", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [started, turn, stopped] = readLines(out);
    expect(started).toMatchObject({ type: "started", loop: "count", grant: { tools: [] } });
    expect(turn).toEqual({
      type: "turn",
      run: started?.["run"],
      turn: 1,
      turnsMax: 8,
      receipt: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      outcome: "completed",
      reason: null,
      decision: "stop",
      decisionReason: "goal-reached",
      next: false,
      spending: expect.objectContaining({ settled: expect.objectContaining({ modelCalls: 1 }) }),
      budget: {},
      contextTokens: 7,
    });
    expect(stopped).toEqual({
      type: "stopped",
      run: started?.["run"],
      reason: "goal-reached",
      turns: 1,
      unknown: [],
    });
  });

  test("the output of a run only when it is asked for", async () => {
    const { out } = await begin("count", "--json", "--content");
    expect(readLines(out).at(-1)).toMatchObject({ output: { count: expect.any(Number) } });
  });

  test("a list of runs, the newest first, and the same of each", async () => {
    const listed = JSON.parse((await ask("runs", "--json")).out);
    expect(listed.length).toBeGreaterThan(3);
    expect(listed.at(-1)).toMatchObject({ run: id, loop: "refund", state: "stopped", turns: 1 });
    const shown = JSON.parse((await ask("show", id, "--json")).out);
    expect(shown).toMatchObject({ run: id, open: [], latestTurns: [{ outcome: "completed" }] });
    const explained = JSON.parse((await ask("explain", id, "--json")).out);
    expect(explained).toMatchObject({ ran: { tools: [{ name: "local.pay-once", count: 1 }] } });
  });

  test("a verdict by verify, whatever it is given", async () => {
    const bundle = (await ask("export", id, "--out", "-")).out;
    const [receipt] = JSON.parse(bundle).receipts;
    const subjects = [
      [bundle, "run", true],
      [receipt, "receipt", true],
      [JSON.stringify([receipt]), "set", true],
      [`[${bundle}]`, "tree", true],
      ["[]", "set", false],
      ["nonsense", "receipt", false],
      ['{"events":[]}', "run", false],
      ["[null]", "set", false],
    ] as const;
    for (const [text, subject, valid] of subjects) {
      const { code, out } = await run(["verify", "-", "--json", "--store", store], text);
      expect(JSON.parse(out)).toMatchObject({ subject, valid });
      expect(code).toBe(valid ? 0 : 3);
    }
  });
});

test("a file that is larger than BUNDLE_BYTES_MAX is not read", async () => {
  const huge = file("huge.json");
  writeFileSync(huge, "");
  truncateSync(huge, BUNDLE_BYTES_MAX + 1);
  const { code, err } = await ask("verify", huge);
  expect(code).toBe(64);
  expect(err).toContain(`larger than ${BUNDLE_BYTES_MAX} bytes`);
});

test("of a long run the latest TURNS_SHOWN_MAX turns are shown", async () => {
  const turnsMax = String(TURNS_SHOWN_MAX + 1);
  await begin("count", "--goal", "output.count=none", "--turns-max", turnsMax);
  const { turns, latestTurns } = JSON.parse((await ask("show", "last", "--json")).out);
  expect(turns).toBe(TURNS_SHOWN_MAX + 1);
  expect(latestTurns).toHaveLength(TURNS_SHOWN_MAX);
  expect(latestTurns[0].turn).toBe(2);
});

describe("what a person says to a run", () => {
  test("that has stopped is not taken", async () => {
    for (const words of [
      ["signal", id, "hello"],
      ["cancel", id],
    ]) {
      const { code, err } = await ask(...words);
      expect(code).toBe(1);
      expect(err).toContain("not accepted: the run has stopped: goal-reached");
    }
  });

  test("of an id that several runs begin with is asked to be clear", async () => {
    const keys = Array.from({ length: 17 }, (_, index) => `key ${index}`);
    const first = keys.map((key) => uuidFrom(`local\n${key}`)[0] ?? "");
    // Of seventeen ids two begin with the same of sixteen digits.
    const second = first.findIndex((digit, index) => first.indexOf(digit) !== index);
    const shared = first[second] ?? "";
    for (const index of [first.indexOf(shared), second])
      await begin("count", "--key", keys[index] ?? "");
    const { code, err } = await ask("show", shared);
    expect(code).toBe(64);
    expect(err).toMatch(/\d+ runs begin with .*\n {2}next: write more of the id/);
  });
});

test("check --bounds shows the worst case, with every default", async () => {
  const { code, out } = await run(["check", loops, "--bounds", "--turns-max", "2"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^refund 1\.0\.0 {2}at most$/m);
  expect(out).toMatch(/^ {2}models {4}12 requests a turn, 24 a run of 2$/m);
  expect(out).toMatch(/^ {2}default {3}refund: maxRounds 4$/m);
  const { bounds } = JSON.parse((await run(["check", loops, "--bounds", "--json"])).out);
  expect(bounds[0]).toMatchObject({ turn: { modelCalls: 0 }, run: { turns: 8 } });
  expect(bounds.map((of: { id: string }) => of.id)).toEqual([
    "pay-astray",
    "peek",
    "refund",
    "refund-by-key",
    "pay-often",
    "count",
  ]);
});

describe("keys", () => {
  test("that the environment names are not rotated here, and that is said", async () => {
    const environment = {
      TURNSEAL_SIGN_SEED_BASE64: Buffer.alloc(32, 6).toString("base64"),
      TURNSEAL_SIGN_ISSUER: "ci",
    };
    const before = (await ask("keys", "export")).out;
    const { code, err } = await run(["keys", "rotate", "--store", store], "", environment);
    expect(code).toBe(64);
    expect(err).toContain("set by the environment");
    expect((await ask("keys", "export")).out).toBe(before);
  });

  test("are rotated, and what the one before signed still verifies", async () => {
    const before = JSON.parse((await ask("keys", "--json")).out).keys;
    expect(before).toHaveLength(1);
    expect((await ask("keys", "rotate")).code).toBe(0);
    const after = JSON.parse((await ask("keys", "export")).out).keys;
    expect(after.map((key: { validUntil?: string }) => typeof key.validUntil)).toEqual([
      "string",
      "undefined",
    ]);
    await begin("count");
    expect((await ask("verify")).code).toBe(0);
    const { out } = await ask("keys", "list");
    expect(out).toMatch(
      /^\S{43} {2}development {2}from \S+ until \S+\n\S{43} {2}development {2}from/,
    );
    expect(out).not.toMatch(/PRIVATE/);
  });
});

describe("what a model was sent", () => {
  test("is told by its size, and with --content by its first line", async () => {
    const { code, out } = await ask("context", id);
    expect(code).toBe(0);
    expect(out).toContain("turn 1, round 2");
    expect(out).toMatch(/^ {5}0 {2}user {2}\d+ tokens$/m);
    expect(out).toMatch(/^ {5}1 {2}assistant till\/till-1 {2}\d+ tokens$/m);
    expect(out).toMatch(/^ {5}2 {2}tool local__pay-once {2}\d+ tokens$/m);
    expect(out).toContain("left out  nothing\n");
    expect(out).toContain("billed    input 7, output 3\n");
    expect((await ask("context", id, "--content")).out).toContain("asks for local__pay-once {");
  });

  test("is JSON for programs, without what was said unless it is asked for", async () => {
    const place = ["--turn", "1", "--round", "1", "--json"];
    const told = JSON.parse((await ask("context", id, ...place)).out);
    expect(told).toMatchObject({ run: id, turn: 1, round: 1, leftOut: 0 });
    expect(told.entries).toEqual([
      { number: 0, role: "user", by: null, tokens: expect.any(Number), isErased: false },
    ]);
    const whole = JSON.parse((await ask("context", id, ...place, "--content")).out);
    expect(whole.entries[0].message.text).toMatch(/^Pay /);
  });

  test("controls of a terminal in it are shown, not obeyed", async () => {
    const input = JSON.stringify({ payment: "\u001b[2J\u202eevil" });
    await begin("refund", "--input", input, "--allow", "local.pay-once");
    const { out } = await ask("context", "last", "--round", "1", "--content");
    expect(out).toContain("\\u001b[2J");
    expect(out).not.toContain("\u202e");
  });

  test.each([
    [["--turn", "9"], "turn 9 of the run has made no model request"],
    [["--turn", "1", "--round", "9"], "turn 1 of the run has no model request in round 9"],
    [["--round", "9"], "the run has no model request in round 9"],
  ])("%j was not sent", async (place, message) => {
    const { code, out, err } = await ask("context", id, ...place);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
    expect(err).toContain(`next: turnseal show ${id.slice(0, 8)}`);
  });
});

describe("an erasure", () => {
  test.each([
    ["the input ends", ""],
    ["somebody says no", "no\n"],
  ])("that nobody confirms does not happen: %s", async (_, said) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const stdin = Object.assign(Readable.from([Buffer.from(said)]), { isTTY: true });
    const code = await runProgram(["erase", id, "--store", store], {
      ...{ environment: {}, stdin, stdout, stderr },
      terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
    });
    expect(code).toBe(1);
    expect(readWritten(stderr)).toContain("nothing was erased");
    expect((await ask("replay", id)).code).toBe(0);
  });

  test("leaves what verifies, and nothing that was said", async () => {
    const { code } = await ask("erase", id, "--yes");
    expect(code).toBe(0);
    expect((await ask("verify", id)).code).toBe(0);
    expect((await ask("replay", id)).out).toContain("cannot be replayed: its content was erased");
    const shown = JSON.parse((await ask("show", id, "--content", "--json")).out);
    expect(shown.content).toEqual({});
    const sent = await ask("context", id, "--content");
    expect(sent.out).toMatch(/^ {5}0 {2}user {2}erased$/m);
    expect(sent.out).not.toContain("Pay");
    expect(JSON.parse((await ask("export", id, "--out", "-")).out).content).toBeUndefined();
    const { out } = await ask("export", id, "--out", file("erased.json"));
    expect(out).toContain("without content, which was erased");
  });

  test("of a run that waits blocks it, and that is said wherever it is looked for", async () => {
    expect((await ask("runs", "--blocked")).err).toBe("no run is blocked\n");
    await begin("count", "--await", "message");
    await ask("erase", "last", "--yes");
    const resumed = await ask("resume", "last", "--from", loops);
    expect({ code: resumed.code, out: resumed.out }).toEqual({ code: 1, out: "" });
    expect(resumed.err).toContain("cannot continue: its content was erased");
    expect((await ask("runs", "--blocked")).out).toMatch(
      /^\S{8} {2}blocked: content-erased {2}count {2}\S+ {2}1 turn/,
    );
    expect(JSON.parse((await ask("runs", "--blocked", "--json")).out)).toMatchObject([
      { state: "waiting", obstacle: "content-erased" },
    ]);
  });
});

test("what starts a run in place of a person's message is recorded with it", async () => {
  const place = ["--store", file("sourced")];
  const begun = await run(["run", "count", "--from", loops, "--source", "nightly", ...place]);
  expect(begun.err).not.toContain("error");
  const { events } = JSON.parse((await run(["export", "last", "--out", "-", ...place])).out);
  expect(events[0]).toMatchObject({ type: "run.started", content: { source: "nightly" } });
  const long = ["--source", "x".repeat(129)];
  expect((await run(["run", "count", "--from", loops, ...long, ...place])).code).toBe(64);
});

test("a run whose loops are others now is listed as blocked, with what is missing", async () => {
  const place = ["--store", file("deployed")];
  await run(["run", "count", "--from", loops, "--await", "message", ...place]);
  expect((await run(["runs", "--blocked", ...place])).err).toBe("no run is blocked\n");
  const others = fileURLToPath(new URL("../../__fixtures__/patient.mjs", import.meta.url));
  const listed = await run(["runs", "--blocked", "--from", others, "--json", ...place]);
  expect(JSON.parse(listed.out)).toMatchObject([
    { obstacle: "loop-missing", missing: expect.stringMatching(/^\S+ 1\.0\.0$/) },
  ]);
  await run(["signal", "last", "message", "--payload", '"hi"', ...place]);
  const resumed = await run(["resume", "last", "--from", others, ...place]);
  expect(resumed.code).toBe(1);
  expect(resumed.err).toMatch(/cannot continue: \S+ 1\.0\.0, which it needs, is missing/);
  expect(resumed.err).toContain("--from <the loops that it was started with>");
});
