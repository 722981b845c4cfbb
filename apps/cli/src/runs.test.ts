// Runs through the real command, each in a process of its own: what survives a kill, who holds a
// run, what a stranger can check.
import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { TRACE_EVENT_TYPES, type TraceEvent } from "@turnseal/protocol/trace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT_CODES } from "./exit-codes.ts";

const bin = fileURLToPath(new URL("../bin/turnseal.js", import.meta.url));
const loops = fileURLToPath(new URL("./__fixtures__/payments.mjs", import.meta.url));

const folders: string[] = [];
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A folder of its own for each story, with the command in it. */
function openStage() {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-runs-"));
  folders.push(folder);
  const ledger = join(folder, "ledger.txt");
  const start = (args: readonly string[], environment: object = {}): ChildProcess => {
    const env = { PATH: process.env["PATH"], ...environment };
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env });
    started.push(child);
    return child;
  };
  const run = (...args: string[]): Promise<Ended> => collect(start(args));
  const input = (actMs: number): string => JSON.stringify({ payment: { ledger, actMs } });
  const readLedger = (): string[] =>
    existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n") : [];
  const untilPaid = (): Promise<void> => until(() => readLedger().length > 0);
  const begin = (loop: string, actMs: number, ...more: string[]): string[] => [
    ...["run", loop, "--from", loops, "--input", input(actMs)],
    ...["--allow", "local.pay-once,local.pay-by-key,local.peek", ...more],
  ];
  /** The same loops, but for the words of a prompt. */
  const writeChanged = (): string => {
    const file = join(folder, "changed.mjs");
    writeFileSync(file, readFileSync(loops, "utf8").replace('"Pay {{', '"Please pay {{'));
    return file;
  };
  return { folder, ledger, start, run, begin, readLedger, untilPaid, writeChanged };
}

function collect(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => {
    let [out, err] = ["", ""];
    child.stdout?.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      err += chunk;
    });
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

async function until(isTrue: () => boolean, ms = 30_000): Promise<void> {
  for (const endMs = Date.now() + ms; Date.now() < endMs; await wait(25)) if (isTrue()) return;
  throw new Error("it did not come true in time");
}

/** Kills a process and everything it could still do. */
async function kill(child: ChildProcess): Promise<void> {
  const ended = collect(child);
  child.kill("SIGKILL");
  await ended;
}

function readLines(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

// Several stories at once wait for each other's processes.
const STORY_MS = 60_000;

describe("a run that ends well", { timeout: STORY_MS }, () => {
  const stage = openStage();
  let first: Ended;
  let id = "";

  beforeAll(async () => {
    first = await stage.run(...stage.begin("refund", 0, "--budget", "modelCalls=8,toolCalls=4"));
    id = /^run {2}(\S+)$/m.exec(first.out)?.[1] ?? "";
  }, STORY_MS);

  test("says after its turn what it must, and what it answered, without escape codes", () => {
    const { code, out, err } = first;
    expect({ code, err: err.match(/note:.*/g) }).toEqual({ code: 0, err: null });
    expect(out).toMatch(/^turn 1 of at most 8 {2}completed$/m);
    expect(out).toMatch(new RegExp(`^ {2}run {7}${id}$`, "m"));
    expect(out).toMatch(/^ {2}receipt {3}sha256:[0-9a-f]{64}$/m);
    expect(out).toMatch(/^ {2}decision {2}stop: goal-reached$/m);
    expect(out).toMatch(/^ {2}finished {2}the output meets the goal$/m);
    expect(out).toMatch(/^ {2}spent {5}.*modelCalls 2 of 8, toolCalls 1 of 4/m);
    expect(out).toMatch(/^ {2}context {3}7 tokens in the last request$/m);
    expect(err).toContain("✓ tool local.pay-once");
    expect(out).toMatch(/^answer\n {2}secret words$/m);
    expect(err).not.toContain("secret words");
    expect(out + err).not.toContain("\u001b");
  });

  test("is listed and shown; its content only when it is asked for", async () => {
    const [listed, shown, spoken] = await Promise.all([
      stage.run("runs"),
      stage.run("show", id.slice(0, 6)),
      stage.run("show", "last", "--content", "--json"),
    ]);
    expect(listed.out).toMatch(
      new RegExp(`^${id.slice(0, 8)} {2}stopped: goal-reached {2}refund {2}\\S+ {2}1 turn`),
    );
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining("completed, then") });
    expect(shown.out).not.toContain("secret words");
    const { content, state } = JSON.parse(spoken.out);
    expect({ state, output: content.output }).toEqual({
      state: "stopped",
      output: { text: "secret words" },
    });
  });

  test("has an LSEM trace: whole, in order, and without content", async () => {
    const { code, out } = await stage.run("show", "last", "--trace");
    expect(code).toBe(0);
    expect(out).not.toContain("secret words");
    const trace = out
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text) as TraceEvent);
    expect(trace.at(0)).toMatchObject({ type: "call.started", payload: { loopId: "refund" } });
    expect(trace.at(-1)).toMatchObject({ type: "call.completed", callId: trace[0]?.callId });
    const types: readonly string[] = TRACE_EVENT_TYPES;
    expect(trace.filter(({ type }) => !types.includes(type))).toEqual([]);
    const count = (type: string) => trace.filter((event) => event.type === type).length;
    expect(["child.started", "child.completed", "call.tool.returned"].map(count)).toEqual([
      1, 1, 1,
    ]);
    expect(count("call.backend.responded")).toBe(2);
    const times = trace.map(({ ts }) => ts);
    expect(times).toEqual(times.toSorted());
  });

  test("answers the four questions", async () => {
    const { code, out } = await stage.run("explain", "last", "--from", loops);
    expect(code).toBe(0);
    expect(out).toMatch(/What ran\?\n {2}run .*refund 1\.0\.0, 1 closed turn\n/);
    expect(out).toMatch(/tools: local\.pay-once ×1/);
    expect(out).toMatch(/Why did it stop\?\n {2}goal-reached: /);
    expect(out).toMatch(/Who allowed it\?\n {2}\S+ granted local\.pay-once/);
    expect(out).toMatch(/Is it safe to resume\?\n {2}there is nothing to resume\n/);
  });

  test("verifies, and replays to the byte", async () => {
    const [verified, all, strict, replayed] = await Promise.all([
      stage.run("verify", id),
      stage.run("verify", "--json"),
      stage.run("verify", id, "--production", "--json"),
      stage.run("replay", "last", "--diff", "--from", loops),
    ]);
    expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^✓ valid {2}run /) });
    expect(JSON.parse(all.out)).toMatchObject({ subject: "tree", valid: true });
    expect(strict.code).toBe(3);
    expect(JSON.parse(strict.out).findings[0].code).toBe("KEY_DEVELOPMENT");
    expect(replayed).toMatchObject({ code: 0, out: expect.stringMatching(/^✓ turn 1 {2}ident/) });
  });

  test("is exported to a file that a stranger checks, and that nobody can change", async () => {
    const exported = await stage.run("export", id, "--out", "run.json");
    expect(exported.code).toBe(0);
    const file = join(stage.folder, "run.json");
    expect(statSync(file).mode & 0o077).toBe(0);
    const text = readFileSync(file, "utf8");
    writeFileSync(join(stage.folder, "tampered.json"), text.replace("till-1", "till-2"));
    const keys = await stage.run("keys", "export");
    writeFileSync(join(stage.folder, "keys.json"), keys.out);
    // A stranger has the file and the public keys, and no store.
    const other = openStage();
    for (const name of ["run.json", "tampered.json", "keys.json"])
      copyFileSync(join(stage.folder, name), join(other.folder, name));
    const [good, bad, untrusted] = await Promise.all([
      other.run("verify", "run.json", "--keys", "keys.json"),
      other.run("verify", "tampered.json", "--keys", "keys.json", "--json"),
      other.run("verify", "run.json"),
    ]);
    expect(good).toMatchObject({ code: 0, err: "" });
    expect(bad.code).toBe(3);
    expect(JSON.parse(bad.out)).toMatchObject({ valid: false, firstWrong: 6 });
    expect(untrusted).toMatchObject({ code: 3, out: expect.stringContaining("--keys") });
  });

  test("with --without-content an export says nothing that was said", async () => {
    const { out } = await stage.run("export", id, "--without-content", "--out", "-");
    const bundle = JSON.parse(out);
    expect(bundle.content).toBeUndefined();
    expect(bundle.events.length).toBeGreaterThan(10);
  });

  test("the same key and input are the same run, and no second payment", async () => {
    const other = openStage();
    const args = other.begin("refund", 0, "--key", "order-1", "--json");
    const one = await other.run(...args);
    const two = await other.run(...args);
    const three = await other.run(...other.begin("refund", 1, "--key", "order-1"));
    expect([one.code, two.code, three.code]).toEqual([0, 0, 64]);
    const [before, again] = [readLines(one.out), readLines(two.out)];
    expect(again[0]?.["run"]).toBe(before[0]?.["run"]);
    expect(three.err).toContain("--key <another key>");
    expect(other.readLedger()).toHaveLength(1);
  });
});

describe.concurrent("a run whose process is killed", { timeout: STORY_MS }, () => {
  test("asks a person about a payment that must not be made twice, and goes on", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("refund", 600_000));
    await stage.untilPaid();
    await kill(worker);
    const changed = await stage.run("resume", "--from", stage.writeChanged());
    expect(changed.code).toBe(1);
    expect(changed.out).toMatch(/loops {5}changed: refund 1\.0\.0 was sha256:\S+, is sha256:/);
    expect(changed.err).toContain(
      "refund 1.0.0 has changed since the run started, under the same version",
    );
    const resumed = await stage.run("resume", "--from", loops);
    expect(resumed.code).toBe(2);
    expect(resumed.out).toMatch(/open {6}local\.pay-once \(once\).*a person is asked/);
    expect(resumed.out).toMatch(/^ {2}safe {6}yes$/m);
    expect(resumed.out).toContain("local.pay-once: it is not known whether it happened");
    expect(resumed.out).toMatch(/next: turnseal resolve \S{8} happened --result/);
    const signal = (payload: string): Promise<Ended> =>
      stage.run("signal", "last", "hurry", "--payload", payload, "--key", "one");
    const told = await signal('"now"');
    const [again, other] = await Promise.all([signal('"now"'), signal('"later"')]);
    expect([told.code, again.code, other.code]).toEqual([0, 0, 1]);
    expect(again.out).toContain("signal was sent before");
    expect(other.err).toContain("a different message was sent with the same key");
    const answered = await stage.run(
      "resolve",
      "last",
      "happened",
      "--result",
      '{"reference":"x"}',
    );
    expect(answered).toMatchObject({ code: 0, out: expect.stringContaining("turnseal resume") });
    const [card, listed] = await Promise.all([stage.run("inbox"), stage.run("runs")]);
    expect(card.out).toMatch(
      /decisions \S+ said happened, which takes effect when the run continues/,
    );
    expect(card.out).not.toContain("turnseal resolve");
    expect(listed.out).toContain("answered: to be resumed");
    const ended = await stage.run("resume", "--json", "--from", loops);
    expect(ended.code).toBe(0);
    expect(readLines(ended.out).map(({ type }) => type)).toEqual(["resume", "turn", "stopped"]);
    expect((await stage.run("verify", "last")).code).toBe(0);
    expect((await stage.run("replay", "last", "--diff", "--from", loops)).code).toBe(0);
    const { out } = await stage.run("explain", "last", "--from", loops);
    expect(out).toMatch(/sent the signal hurry.*\n.*resolved local\.pay-once: happened/);
    expect(stage.readLedger()).toHaveLength(1);
  });

  test("pays once when the tool honours its key, however often it is killed", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("refund-by-key", 600_000));
    await stage.untilPaid();
    await kill(worker);
    const { code, out } = await stage.run("resume", "--from", loops);
    expect(code).toBe(0);
    expect(out).toMatch(/open {6}local\.pay-by-key \(idempotent\).*with the same key/);
    expect(out).toContain("stopped: goal-reached");
    expect(stage.readLedger()).toHaveLength(1);
  });
});

describe("a run that somebody carries", { timeout: STORY_MS }, () => {
  test("goes on in the background, and a second resume says who holds it", async () => {
    const stage = openStage();
    const { code, out } = await stage.run(...stage.begin("refund-by-key", 600_000, "--detach"));
    expect(code).toBe(0);
    const pid = Number(/^ {2}process {3}(\d+)$/m.exec(out)?.[1]);
    const log = /^ {2}log {7}(.+)$/m.exec(out)?.[1] ?? "";
    await stage.untilPaid();
    const [held, listed, named] = await Promise.all([
      stage.run("resume", "--from", loops),
      stage.run("runs", "--json"),
      stage.run("show", "last", "--pid"),
    ]);
    expect(held).toMatchObject({ code: 1, out: "" });
    expect(held.err).toMatch(new RegExp(`is held by process ${pid} since `));
    expect(held.err).toContain("--take-over");
    expect(JSON.parse(listed.out)[0]).toMatchObject({ state: "running", pid });
    expect(named.out).toBe(`${pid}\n`);
    await stage.run("cancel", "last");
    await until(() => readFileSync(log, "utf8").includes("stopped: cancelled"));
    expect(stage.readLedger()).toHaveLength(1);
  });

  test("of two resumes at once one carries it and the other says so", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("refund-by-key", 600_000));
    await stage.untilPaid();
    await kill(worker);
    // Without it the tool has forgotten the key, and is busy again for as long as the test needs.
    rmSync(stage.ledger);
    const both = [stage.run("resume", "--from", loops), stage.run("resume", "--from", loops)];
    await stage.untilPaid();
    // The process that drives it is busy until the cancel, so that the other ends first.
    expect(await Promise.race(both)).toMatchObject({ code: 1 });
    await stage.run("cancel", "last");
    const ended = await Promise.all(both);
    const held = ended.filter(({ err }) => /is held by process \d+/.test(err));
    const stopped = ended.filter(({ out }) => out.includes("stopped: cancelled"));
    expect([held.length, stopped.length]).toEqual([1, 1]);
    expect(stage.readLedger()).toHaveLength(1);
  });

  test("is taken over from a frozen process, which then does nothing more", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("refund", 600_000));
    const ended = collect(worker);
    await stage.untilPaid();
    worker.kill("SIGSTOP");
    const taken = await stage.run("resume", "last", "--take-over", "--from", loops);
    expect(taken.code).toBe(2);
    expect(taken.err).toMatch(/note: taking over from process \d+/);
    worker.kill("SIGCONT");
    expect(await ended).toMatchObject({
      code: 1,
      err: expect.stringContaining("another process has taken the run over"),
    });
    // Its first turn is open: nothing of it is sealed yet.
    const verified = await stage.run("verify", "last");
    expect(verified).toMatchObject({ code: 3, out: expect.stringContaining("RUN_UNSEALED") });
    expect(stage.readLedger()).toHaveLength(1);
  });

  test("Ctrl-C leaves it to be resumed, and says how", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("refund-by-key", 600_000));
    const ended = collect(worker);
    await stage.untilPaid();
    worker.kill("SIGINT");
    const { code, out, err } = await ended;
    expect(code).toBe(EXIT_CODES.interrupted);
    expect(err).toContain("note: interrupting");
    expect(out).toMatch(/interrupted {2}\S+\n {2}next: turnseal resume \w{8} {2}\(continues/);
    expect(out).toMatch(/or: turnseal cancel \w{8}/);
    expect((await stage.run("runs")).out).toContain("interrupted");
    expect((await stage.run("cancel", "last")).code).toBe(0);
  });

  test("Ctrl-C begins nothing more: of sixty payments only the open one is made", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("pay-often", 80));
    const ended = collect(worker);
    await until(() => stage.readLedger().length >= 2);
    worker.kill("SIGINT");
    const atMost = stage.readLedger().length + 1;
    expect((await ended).code).toBe(EXIT_CODES.interrupted);
    const paid = stage.readLedger();
    expect(paid.length).toBeLessThanOrEqual(atMost);
    // The end of all of them is known, and resuming makes the rest.
    expect((await stage.run("resume", "last", "--from", loops)).code).toBe(0);
    expect(new Set(stage.readLedger()).size).toBe(60);
    expect(stage.readLedger()).toHaveLength(60);
  });

  test("Ctrl-C lets an action end that is about to, and resuming does nothing again", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("refund", 900));
    const ended = collect(worker);
    await stage.untilPaid();
    worker.kill("SIGINT");
    const { code, err } = await ended;
    expect(err).toContain("note: interrupting");
    // The small rest after the action may be done before the first look.
    if (code !== EXIT_CODES.done) {
      expect(code).toBe(EXIT_CODES.interrupted);
      expect((await stage.run("resume", "last", "--from", loops)).code).toBe(0);
    }
    expect(stage.readLedger()).toHaveLength(1);
  });

  test("a cancel while money moves says, now and later, that it may have moved", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("refund", 600_000));
    const ended = collect(worker);
    await stage.untilPaid();
    expect((await stage.run("cancel", "last")).code).toBe(0);
    const unknown = /unknown: local\.pay-once may have happened \(turn 1, event \d+\)/;
    // On a busy machine the tool's own limit comes first, and the cancel with the next resume.
    const waits = (await ended).code === EXIT_CODES.waiting;
    const { out } = waits ? await stage.run("resume", "last", "--from", loops) : await ended;
    expect(out).toMatch(unknown);
    expect((await stage.run("show", "last")).out).toMatch(unknown);
    expect((await stage.run("explain", "last", "--from", loops)).out).toMatch(unknown);
    const shown = JSON.parse((await stage.run("show", "last", "--json")).out);
    expect(shown.unknown).toMatchObject([{ turn: 1, name: "local.pay-once" }]);
    await resolveLate(stage);
  });

  /** The late resolution of a stopped run is shown once, and as not sealed by a receipt. */
  async function resolveLate(stage: ReturnType<typeof openStage>): Promise<void> {
    const card = (await stage.run("inbox")).out;
    expect(card).toMatch(/^ {2}local\.pay-once: it is not known whether it happened$/m);
    expect(card).toMatch(/^ {2}run {7}\S{8} stopped: cancelled$/m);
    expect(card).toMatch(/next: turnseal resolve \S{8} happened --result '<what it answered>'$/m);
    expect(card).toMatch(/or: turnseal resolve \S{8} never$/m);
    expect(card).not.toContain("retry");
    const [listed] = JSON.parse((await stage.run("inbox", "--json")).out);
    expect(listed).toMatchObject({ stopped: "cancelled", unknown: [{ isUnknown: true }] });
    const again = await stage.run("resolve", "last", "retry");
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("ANSWER_REFUSED") });
    const said = await stage.run("resolve", "last", "happened", "--result", '{"reference":"x"}');
    expect(said.code).toBe(0);
    expect(said.out).toMatch(/^✓ local\.pay-once: happened, says .+ {2}\S{8}$/m);
    expect(said.out).not.toContain("next: turnseal resume");
    expect((await stage.run("inbox")).out).toBe("nothing is waiting for a person\n");
    const word = /unknown: local\.pay-once may have happened .+: happened, says .+not sealed\)/;
    for (const command of ["show", "explain"])
      expect((await stage.run(command, "last")).out).toMatch(word);
    const late = await stage.run("resolve", "last", "never");
    expect(late.err).toContain("no action of the run waits for an answer");
    expect((await stage.run("cancel", "last")).err).toContain("the run has stopped: cancelled");
    const verdict = await stage.run("verify", "last");
    expect(verdict).toMatchObject({ code: 0, out: expect.stringContaining("✓ valid") });
    expect(verdict.out).toMatch(/not sealed: events \d+ to \d+, written after the last receipt/);
  }

  test("a cancel reaches a tool while it acts, and what was done is sealed", async () => {
    const stage = openStage();
    const worker = stage.start(stage.begin("refund-by-key", 600_000, "--json"));
    const ended = collect(worker);
    await stage.untilPaid();
    const endedAt = ended.then(() => Date.now());
    expect((await stage.run("cancel", "last")).code).toBe(0);
    // The look at the inbox takes a fraction of a second; the rest is for a busy machine.
    const sentAt = Date.now();
    expect((await endedAt) - sentAt).toBeLessThan(5_000);
    const lines = readLines((await ended).out);
    expect(lines.at(-1)).toMatchObject({ type: "stopped", reason: "cancelled" });
    expect((await ended).code).toBe(1);
    expect((await stage.run("verify", "last")).code).toBe(0);
  });
});

test("what signs is given to the background and to nothing else", {
  timeout: STORY_MS,
}, async () => {
  const stage = openStage();
  const secrets = {
    TURNSEAL_SIGN_SEED_BASE64: Buffer.alloc(32, 7).toString("base64"),
    TURNSEAL_SIGN_ISSUER: "ci",
  };
  const half = { TURNSEAL_SIGN_ISSUER: "ci" };
  const args = ["run", "peek", "--from", loops, "--allow", "local.peek", "--detach"];
  const refused = await collect(stage.start(args, half));
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("TURNSEAL_SIGN_ISSUER") });
  const { code, out } = await collect(stage.start(args, secrets));
  expect(code).toBe(0);
  const log = /^ {2}log {7}(.+)$/m.exec(out)?.[1] ?? "";
  await until(() => readFileSync(log, "utf8").includes("stopped: goal-reached"));
  const shown = await stage.run("show", "last", "--content", "--json");
  expect(JSON.parse(shown.out).content.output).toEqual({ names: "" });
  // No development key signed it, so it holds in production too.
  expect((await stage.run("verify", "last", "--production")).code).toBe(0);
});
