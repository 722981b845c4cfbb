// The output of a run, and its conversation as people read it afterwards.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createScreen } from "@turnseal/terminal";
import { afterAll, expect, test } from "vitest";
import { EXIT_CODES } from "../../exit-codes.ts";
import { runProgram } from "../../program.ts";
import { readWritten } from "../../read-written.test.data.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../__fixtures__/${name}`, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-transcript-"));
const file = (name: string): string => join(root, name);
afterAll(() => rmSync(root, { recursive: true }));

writeFileSync(
  file("ask.toml"),
  'name = "ask"\n\n[[rules]]\nid = "pays"\ndecision = "ask"\ntools = ["local.pay-once"]\n',
);

interface Sitting {
  /** True if somebody sits at a terminal. */
  readonly isTTY?: boolean;
  readonly store?: string;
}

async function turnseal(args: readonly string[], { isTTY = false, store = "store" }: Sitting = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const seen = Object.assign(stdout, { isTTY, columns: 80, rows: 24 });
  const code = await runProgram([...args, "--store", file(store)], {
    environment: { NO_COLOR: "1" },
    ...{ stdin: Readable.from([]), stdout, stderr },
    terminal: {
      out: createScreen(seen, { NO_COLOR: "1" }),
      err: createScreen(stderr, {}),
    },
  });
  return { code, out: readWritten(stdout), err: readWritten(stderr) };
}

const talk = ["run", "talk", "--from", fixture("talker.mjs"), "--input", '{"text":"hello"}'];
const pay = (ledger: string): string[] => {
  const input = JSON.stringify({ payment: { ledger: file(ledger), actMs: 0 } });
  const from = ["run", "refund", "--from", fixture("payments.mjs"), "--input", input];
  return [...from, "--allow", "local.pay-once", "--policy", file("ask.toml")];
};

test("a run prints what it answered, without control characters", async () => {
  const { code, out } = await turnseal(talk);
  expect(code).toBe(EXIT_CODES.done);
  expect(out).toContain("\nanswer\n  One, two,\n  \\u001b[2Jthree.\nstopped: goal-reached");
  const again = await turnseal(["resume", "last"]);
  expect(again.out).toContain("answer\n  One, two,");
});

test("it is not printed where somebody says so, nor for programs that do not ask", async () => {
  expect((await turnseal([...talk, "--no-content"])).out).not.toContain("One, two");
  expect((await turnseal([...talk, "--json"])).out).not.toContain("One, two");
  expect((await turnseal([...talk, "--json", "--content"])).out).toContain("One, two");
});

test("what was erased is not an answer", async () => {
  await turnseal(talk, { store: "erased" });
  await turnseal(["erase", "last", "--yes"], { store: "erased" });
  const { out } = await turnseal(["resume", "last"], { store: "erased" });
  expect(out).not.toContain("answer");
  expect(out).toContain("stopped: goal-reached");
});

test("a run that waits shows what is asked on a terminal alone, and no answer", async () => {
  const silent = await turnseal(pay("silent.txt"));
  expect(silent.code).toBe(EXIT_CODES.waiting);
  expect(silent.out).not.toContain("answer\n");
  expect(silent.out).not.toContain("silent.txt");
  const seated = await turnseal(pay("seated.txt"), { isTTY: true });
  expect(seated.out).toContain("seated.txt");
  const hidden = await turnseal([...pay("hidden.txt"), "--no-content"], { isTTY: true });
  expect(hidden.out).not.toContain("hidden.txt");
});

test("a card fits a terminal of 80 columns and 20 lines", async () => {
  const { out } = await turnseal(pay("card.txt"), { isTTY: true });
  const card = out.slice(out.indexOf("approval ")).trimEnd().split("\n");
  expect(Math.max(...card.map((row) => row.length))).toBeLessThanOrEqual(80);
  expect(card.length).toBeLessThanOrEqual(20);
});

test("a transcript has words, tools, decisions and spending, in their order", async () => {
  await turnseal(pay("ledger.txt"), { store: "paid" });
  await turnseal(["approve", "last"], { store: "paid" });
  await turnseal(["resume"], { store: "paid" });
  const { code, out } = await turnseal(["transcript", "last"], { store: "paid" });
  expect(code).toBe(EXIT_CODES.done);
  const shown = ["you ", "── turn 1  ", "tool      local__pay-once", "✓ approved", "→ ", "spent "];
  const places = shown.map((words) => out.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(readFileSync(file("ledger.txt"), "utf8")).not.toBe("");
});

test("of one turn there is that turn, and a turn that was not is an error", async () => {
  await turnseal(talk, { store: "turns" });
  const first = await turnseal(["transcript", "last", "--turn", "1"], { store: "turns" });
  expect(first.out).toContain("assistant One, two,\n          \\u001b[2Jthree.");
  expect(first.out).toContain("thinks    Counting.");
  const second = await turnseal(["transcript", "last", "--turn", "2"], { store: "turns" });
  expect(second).toMatchObject({ code: EXIT_CODES.failed, out: "" });
  expect(second.err).toContain("turn 2 of the run has no messages");
});

test("for programs each entry is an object, and a stopped run is followed to its end", async () => {
  await turnseal(talk, { store: "json" });
  const { out } = await turnseal(["transcript", "last", "--json", "--follow"], { store: "json" });
  const types = out
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row).type);
  expect(types).toEqual(["user-message", "reasoning", "assistant-message"]);
});

test("no row of a terminal begins with what was said", async () => {
  const echo = ["run", "echo", "--from", fixture("talker.mjs"), "--input"];
  const words = JSON.stringify({ text: `${"x".repeat(200)}stopped: goal-reached` });
  const ran = await turnseal([...echo, words], { isTTY: true, store: "long" });
  const answer = ran.out.slice(ran.out.indexOf("answer\n") + 7, ran.out.indexOf("\nstopped:"));
  const told = (await turnseal(["transcript", "last"], { isTTY: true, store: "long" })).out;
  for (const row of answer.split("\n")) expect(row).toMatch(/^ {2}.{1,78}$/);
  for (const row of told.trimEnd().split("\n")) {
    expect(row.length).toBeLessThanOrEqual(80);
    expect(row).toMatch(/^(you|assistant|spent|\u2500\u2500| {10})/);
  }
});

test("what was erased is named and not shown", async () => {
  await turnseal(talk, { store: "gone" });
  await turnseal(["erase", "last", "--yes"], { store: "gone" });
  const { out } = await turnseal(["transcript", "last"], { store: "gone" });
  expect(out).not.toContain("One, two");
  expect(out).toContain("erased    assistant-message");
});
