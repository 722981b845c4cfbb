/** What the command line takes as JSON: on the line itself, in files, and on standard input. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { isLoopError } from "@turnseal/protocol";
import { breakCharacters, breakJson } from "../break-text.ts";
import { type Draft, timeAsync } from "../case-report.ts";
import { createScreen, EXIT_CODES, runProgram } from "../command-line.ts";
import type { Random } from "../random.ts";
import { sealedRuns, trustedKeys } from "../sealed-runs.ts";
import { companions, documents, inputs } from "../valid-documents.ts";

const payments = fileURLToPath(
  new URL("../../../apps/cli/src/__fixtures__/payments.mjs", import.meta.url),
);

/** One folder for all cases, with loops and a store in which a run waits for a person. */
export interface Stage {
  readonly loops: string;
  readonly store: string;
  /** The run that waits. */
  readonly run: string;
  /** Input of a loop that pays, and takes so long for it. */
  payment(actMs: number): string;
  file(name: string, text: string | Uint8Array): string;
}

interface Command {
  readonly args: readonly string[];
  readonly stdin?: string | Uint8Array;
}

const grant = {
  grantor: "somebody",
  tools: ["local.pay-once", "local.peek"],
  budget: { toolCalls: 4, modelCalls: 2 },
  expiresAt: "2090-01-01T00:00:00.000Z",
};

const commands: Readonly<Record<string, (random: Random, stage: Stage) => Command>> = {
  "call --input": (random, { loops }) => ({
    args: ["call", random.pick(documents).id, "--from", loops, "--input", pickInput(random)],
  }),
  "call --input-file -": (random, { loops }) => ({
    args: ["call", random.pick(documents).id, "--from", loops, "--input-file", "-", "--json"],
    stdin: toBytes(pickInput(random), random),
  }),
  "run --grant": (random, { payment, store, file }) => ({
    args: [
      ...["run", "refund", "--from", payments, "--store", store, "--turns-max", "1"],
      ...["--input", payment(0)],
      ...["--grant", file("grant.json", toBytes(breakJson(grant, random), random))],
    ],
  }),
  "run --allow --budget --expires": (random, { payment, store }) => ({
    args: [
      ...["run", "refund", "--from", payments, "--store", store, "--turns-max", "1"],
      ...["--input", payment(0)],
      ...["--allow", breakWords("local.pay-once,local.peek", random)],
      ...["--budget", breakWords("toolCalls=4,modelCalls=2", random)],
      ...["--expires", breakWords("2090-01-01T00:00:00Z", random)],
    ],
  }),
  "run --input --goal": (random, { store }) => ({
    args: [
      ...["run", "count", "--from", payments, "--store", store, "--turns-max", "2"],
      ...["--input", pickInput(random)],
      ...["--goal", breakWords(random.pick(["output.count>=1", 'output["a"]=true']), random)],
    ],
  }),
  "signal --payload": (random, { run, store }) => ({
    args: [
      ...["signal", run, breakWords("hello", random), "--store", store],
      ...["--key", breakWords("key", random), "--payload", pickInput(random)],
    ],
  }),
  "resolve --result": (random, { run, store }) => ({
    args: [
      ...["resolve", run, random.pick(["happened", "retry", "abandon", "maybe"])],
      ...["--store", store, "--result", pickInput(random)],
    ],
  }),
  check: (random, { file }) => ({
    args: [
      "check",
      file("loop.json", toBytes(breakJson(random.pick(documents), random), random)),
      ...(random.next() < 0.5 ? ["--bounds"] : ["--lenient", "--json"]),
    ],
  }),
  verify: (random, { file, store }) => ({
    args: [
      ...["verify", file("run.json", toBytes(breakJson(pickBundle(random), random), random))],
      ...["--keys", file("keys.json", breakJson({ keys: trustedKeys }, random)), "--store", store],
    ],
  }),
  "verify -": (random, { store }) => ({
    args: ["verify", "-", "--json", "--store", store],
    stdin: toBytes(breakJson(pickBundle(random), random), random),
  }),
};

export const commandKinds = Object.keys(commands);

/** Runs a command with something broken in it, in this process. */
export async function breakCommands(random: Random, draft: Draft): Promise<void> {
  opened ??= openStage();
  const stage = await opened;
  draft.kind = random.pick(commandKinds);
  await breakCommand(stage, random, draft);
}

let opened: Promise<Stage> | undefined;

/** Runs a command of the draft's kind. */
export async function breakCommand(stage: Stage, random: Random, draft: Draft): Promise<void> {
  const { kind } = draft;
  const command = commands[kind]?.(random, stage) ?? { args: [] };
  draft.subjects.push(command);
  const ended = await timeAsync(draft, () => runCommand(command));
  draft.isAccepted = ended.code === EXIT_CODES.done;
  draft.outcomes.push(String(ended.code));
  draft.problems.push(...checkEnded(ended));
}

interface Ended {
  /** The exit code, or the code of a typed error, which the process prints and ends with. */
  readonly code: number | string;
  readonly text: string;
}

async function runCommand({ args, stdin = "" }: Command): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let text = "";
  for (const stream of [stdout, stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
  try {
    const code = await runProgram(args, {
      environment: {},
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout,
      stderr,
      terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
    });
    return { code, text };
  } catch (error) {
    if (!isLoopError(error)) throw error;
    return { code: error.code, text };
  }
}

const exitCodes: readonly unknown[] = Object.values(EXIT_CODES);

function checkEnded({ code, text }: Ended): string[] {
  const problems: string[] = [];
  if (typeof code === "number" && !exitCodes.includes(code)) problems.push(`exit code ${code}`);
  if (/\b(?:Type|Range|Reference|Syntax|Invariant)Error\b|\n\s+at .+:\d+:\d+/.test(text))
    problems.push(`the words of a crash are shown: ${text.slice(0, 300)}`);
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))
    problems.push("a control character is shown");
  return problems;
}

export async function openStage(): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), "turnseal-fuzz-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const file: Stage["file"] = (name, text) => {
    const path = join(root, name);
    writeFileSync(path, text);
    return path;
  };
  const loops = mkdtempSync(join(root, "loops-"));
  for (const loop of [...companions, ...documents])
    writeFileSync(join(loops, `${loop.id}.json`), JSON.stringify(loop));
  const store = join(root, "store");
  const payment = (actMs: number): string =>
    JSON.stringify({ payment: { ledger: join(root, "ledger"), actMs } });
  // The tool is cut off at its deadline, and nobody knows what it did.
  const { code, text } = await runCommand({
    args: [
      ...["run", "refund", "--from", payments, "--store", store, "--json"],
      ...["--input", payment(60_000), "--allow", "local.pay-once"],
    ],
  });
  if (code !== EXIT_CODES.waiting) throw new Error(`the run should wait, and ended with ${code}`);
  const [first = ""] = text.split("\n");
  const { run } = JSON.parse(first) as { readonly run: string };
  return { loops, store, run, payment, file };
}

function pickInput(random: Random): string {
  return breakJson(random.pick(inputs), random);
}

function pickBundle(random: Random): unknown {
  const { bundle } = random.pick(sealedRuns);
  return random.pick([bundle, bundle.receipts, [bundle], JSON.parse(bundle.receipts[0] ?? "null")]);
}

const oddWords = [
  ...["=", "==", ">=", ",", ",,", " ", "-", "--", "$", ".", "[", "]", "'", '"', "\\", "{", "}"],
  ...["__proto__", "constructor", "\u001b[31m", "\u0000", "💡", "9".repeat(30), "x".repeat(5_000)],
];

function breakWords(text: string, random: Random): string {
  return random.next() < 0.4 ? text : breakCharacters(text, oddWords, random);
}

/** Text as bytes, sometimes with an invalid one. */
function toBytes(text: string, random: Random): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (random.next() > 0.9 && bytes.length > 0) bytes[random.below(bytes.length)] = 0xff;
  return bytes;
}
