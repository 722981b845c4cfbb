// `turnseal run --follow`: the conversation as it comes, and requests in place.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { createScreen } from "@turnseal/terminal";
import { afterAll, describe, expect, test } from "vitest";
import { EXIT_CODES } from "../../exit-codes.ts";
import { ASKS_MAX } from "../../inbox/ask-in-place.ts";
import { runProgram } from "../../program.ts";
import { readWritten } from "../../read-written.test.data.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../__fixtures__/${name}`, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-follow-"));
const file = (name: string): string => join(root, name);
afterAll(() => rmSync(root, { recursive: true }));

writeFileSync(
  file("ask.toml"),
  'name = "ask"\n\n[[rules]]\nid = "pays"\ndecision = "ask"\ntools = ["local.pay-once"]\nrole = "finance"\n',
);

interface Typing {
  /** The typed lines, one for each question; undefined without a terminal. */
  readonly typed?: readonly string[];
  readonly roles?: string;
}

async function follow(args: readonly string[], { typed, roles = "finance" }: Typing = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (typed !== undefined) Object.assign(stdin, { isTTY: true });
  const left = [...(typed ?? [])];
  let err = "";
  // A prompt that is not answered yet ends with a blank.
  stderr.on("data", (text: Buffer) => {
    err += String(text);
    if (/(?:>|\]) $/.test(String(text)) && left.length > 0) stdin.write(`${left.shift()}\n`);
  });
  if (typed === undefined) stdin.end();
  const code = await runProgram([...args, "--store", file("store")], {
    environment: { TURNSEAL_ROLES: roles },
    ...{ stdin, stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  return { code, out: readWritten(stdout), err };
}

function pay(ledger: string): string[] {
  const input = JSON.stringify({ payment: { ledger: file(ledger), actMs: 0 } });
  return [
    ...["run", "refund", "--from", fixture("payments.mjs"), "--input", input, "--follow"],
    ...["--allow", "local.pay-once", "--policy", file("ask.toml")],
  ];
}

describe("a conversation", () => {
  test("shows words once, as they come, and no control reaches the terminal", async () => {
    const talk = ["run", "talk", "--from", fixture("talker.mjs"), "--follow"];
    const { code, out } = await follow([...talk, "--input", '{"text":"hello"}']);
    expect(code).toBe(EXIT_CODES.done);
    const [, conversation = ""] = out.split("goal      a turn completes\n");
    expect(conversation.split("stopped:")[0]).toBe(
      [
        "you       hello",
        "thinks    Counting.",
        "assistant One, two,",
        "          \\u001b[2Jthree.",
        "",
      ].join("\n"),
    );
  });

  test.each([["--json"], ["--detach"]])("is not for %s", async (flag) => {
    const { code, err } = await follow([...pay("none.txt"), flag]);
    expect(code).toBe(EXIT_CODES.usage);
    expect(err).toContain(`leave out ${flag}`);
    expect(err).toContain("next: turnseal run refund --follow");
  });
});

describe("a message that is typed", () => {
  const talk = ["run", "echo", "--from", fixture("talker.mjs"), "--follow", "--await", "message"];
  const hello = ["--input", '{"text":"hello"}'];

  test("is what the model is sent next", async () => {
    const { code, out } = await follow([...talk, ...hello], { typed: ["and you?", ""] });
    expect(code).toBe(EXIT_CODES.waiting);
    expect(out).toContain("assistant Echo: Say hello");
    expect(out).toContain("you       and you?");
    expect(out).toContain("assistant Echo: Say and you?");
  });

  test("goes where the command line says", async () => {
    const mapping = ["--next-input", '{"text":"$.signals.message.text","tone":"literal:calm"}'];
    const { out } = await follow([...talk, ...hello, ...mapping], { typed: ["and you?", ""] });
    expect(out).toContain("assistant Echo: Say and you?");
  });

  test("is refused before the run starts where nothing takes it", async () => {
    const count = talk.with(1, "number");
    const { code, err } = await follow([...count, "--input", '{"count":1}'], { typed: ["x"] });
    expect(code).toBe(EXIT_CODES.usage);
    expect(err).toContain("the input of number has no field that reads the signal message");
    expect(err).toContain(
      `next: turnseal run number --next-input '{"<field>":"$.signals.message.text"}'`,
    );
  });

  test.each([["[1]"], ["{"], ['{"text":"$..x"}']])("needs a mapping, not %s", async (mapping) => {
    const { code, err } = await follow([...talk, ...hello, "--next-input", mapping]);
    expect(code).toBe(EXIT_CODES.usage);
    expect(err).toContain("--next-input");
  });

  test("is not asked for where the run has no place for it", async () => {
    const run = ["run", "number", "--from", fixture("talker.mjs"), "--await", "message"];
    const started = await follow([...run, "--input", '{"count":1}']);
    expect(started.err).toContain("note: no turn reads the payload of the signal message");
    const { err } = await follow(["resume", "last", "--follow"], { typed: ["lost?"] });
    expect(err).not.toContain("you>");
    const told = await follow(["signal", "last", "message", "--payload", '{"text":"lost?"}']);
    expect(told.code).toBe(EXIT_CODES.failed);
    expect(told.err).toContain("no turn reads its payload, since the run has no `nextInput`");
  });
});

describe("what is asked", () => {
  test("is decided in place, and the same turn goes on", async () => {
    const { code, out, err } = await follow(pay("paid.txt"), { typed: ["a"] });
    expect(code).toBe(EXIT_CODES.done);
    expect(err).toContain("approve, reject, later or the whole card?");
    expect(err).toContain("arguments actMs");
    expect(out).toMatch(/tool {6}local__pay-once \{"actMs":0,"ledger":/);
    expect(out).toContain("✓ approved");
    expect(out).toMatch(/spent: turns 1, rounds 1, modelCalls 1, toolCalls 1/);
    expect(readFileSync(file("paid.txt"), "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("is in five lines first, and whole where somebody wants it", async () => {
    const { code, err } = await follow(pay("whole.txt"), { typed: ["w", "a"] });
    expect(code).toBe(EXIT_CODES.done);
    const [brief = "", whole = ""] = err.split("the whole card?");
    expect(brief).not.toContain("  undo ");
    expect(whole).toContain("  undo ");
    expect(whole).toContain("  costs ");
  });

  test("can be said no to, and nothing is done", async () => {
    const { code, out } = await follow(pay("rejected.txt"), { typed: ["r"] });
    expect(code).toBe(EXIT_CODES.failed);
    expect(out).toContain("stopped: approval-rejected");
    expect(() => readFileSync(file("rejected.txt"))).toThrow();
  });

  test("is asked for again after anything else, and then left to wait", async () => {
    const again = await follow(pay("again.txt"), { typed: ["y", "a"] });
    expect(again.code).toBe(EXIT_CODES.done);
    expect(again.err).toContain("note: write a (approve), r (reject), l (decide later) or w");
    const typed = [...Array.from({ length: ASKS_MAX }, () => "yes"), "a"];
    const { code } = await follow(pay("never.txt"), { typed });
    expect(code).toBe(EXIT_CODES.waiting);
    expect(() => readFileSync(file("never.txt"))).toThrow();
  });

  test.each([["l"], [""]])("waits after %j", async (said) => {
    const { code } = await follow(pay("later.txt"), { typed: [said] });
    expect(code).toBe(EXIT_CODES.waiting);
    expect(() => readFileSync(file("later.txt"))).toThrow();
  });

  test("is not theirs who lack the role", async () => {
    const { code, err } = await follow(pay("role.txt"), { typed: ["a"], roles: "support" });
    expect(code).toBe(EXIT_CODES.waiting);
    expect(err).toContain("needs the role finance");
    expect(() => readFileSync(file("role.txt"))).toThrow();
  });

  test("is nobody's where nobody sits: the run waits, and can be followed later", async () => {
    const { code, err } = await follow(pay("resumed.txt"));
    expect(code).toBe(EXIT_CODES.waiting);
    expect(err).not.toContain("approve, reject, later or the whole card?");
    const resumed = await follow(["resume", "last", "--follow"], { typed: ["a"] });
    expect(resumed.code).toBe(EXIT_CODES.done);
    expect(readFileSync(file("resumed.txt"), "utf8").trim().split("\n")).toHaveLength(1);
  });
});
