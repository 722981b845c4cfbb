/**
 * The program under test: a child process that answers one JSON object per line
 * (spec/conformance.md).
 *
 * 1. `ask` always settles: with the program's answer or with a `ProgramError`.
 * 2. One request is open at a time, and the answer must carry its id.
 * 3. After a breakdown (death, silence, a line that is no answer) the process is killed and gets no
 *    more requests.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { parseFields, parseJson, parseText } from "../shape.ts";
import { createLineReader } from "./line-reader.ts";
import { ProgramError } from "./program-error.ts";

/** How long a program may take for one answer. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** How long a program may take for its first answer: on a busy machine it has to start first. */
export const START_TIMEOUT_MS = 60_000;
/** How long a program may take to end after its input was closed. */
export const STOP_TIMEOUT_MS = 1_000;
/** The kept end of a program's error output. */
const STDERR_TAIL_LENGTH = 4_000;
const EXCERPT_LENGTH = 80;

export interface Program {
  /** Sends one request and waits for its answer. */
  ask(method: string, params: unknown): Promise<unknown>;
  /** True after a breakdown. */
  isBroken(): boolean;
  /** Ends the process. */
  stop(): Promise<void>;
}

interface OpenRequest {
  readonly id: number;
  readonly settle: (answer: unknown) => void;
  readonly fail: (error: ProgramError) => void;
}

export interface Patience {
  /** For the first answer. */
  readonly startMs: number;
  readonly answerMs: number;
}

const USUAL: Patience = { startMs: START_TIMEOUT_MS, answerMs: ANSWER_TIMEOUT_MS };

/** Starts `command`, a program and its arguments. */
export function startProgram(command: readonly string[], patience: Patience = USUAL): Program {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"] });
  let open: OpenRequest | undefined;
  let breakdown: ProgramError | undefined;
  let requests = 0;

  const breakDown = (error: ProgramError) => {
    breakdown ??= error;
    killProgram(child);
    open?.fail(breakdown);
    open = undefined;
  };
  watchProgram(child, breakDown, (line) => {
    const answer = parseLine(line);
    if (open === undefined || answer.id !== open.id) throw invalid("answered unasked", line);
    const { settle, fail } = open;
    open = undefined;
    if (answer.error === undefined) settle(answer.result);
    else fail(new ProgramError("PROGRAM_REFUSED", `the program says: ${answer.error.message}`));
  });

  return {
    isBroken: () => breakdown !== undefined,
    stop: () => stopProgram(child),
    ask: async (method, params) => {
      if (breakdown !== undefined) throw breakdown;
      const id = ++requests;
      const timeoutMs = id === 1 ? patience.startMs : patience.answerMs;
      const answered = new Promise((settle, fail) => {
        open = { id, settle, fail };
      });
      const timer = setTimeout(() => {
        const text = `the program did not answer \`${method}\` within ${timeoutMs} ms`;
        breakDown(new ProgramError("PROGRAM_TIMEOUT", text));
      }, timeoutMs);
      child.stdin?.write(`${JSON.stringify({ id, method, params })}\n`);
      return answered.finally(() => clearTimeout(timer));
    },
  };
}

function watchProgram(
  child: ChildProcess,
  breakDown: (error: ProgramError) => void,
  takeLine: (line: string) => void,
): void {
  const readLines = createLineReader();
  let stderrTail = "";
  child.on("error", (error) => {
    const text = `the program could not be started: ${error.message}`;
    breakDown(new ProgramError("PROGRAM_NOT_STARTED", text));
  });
  // `close` and not `exit`: what the program wrote before its end has then been read.
  child.on("close", (code, signal) => {
    const text = `the program ended with ${signal ?? `code ${code}`}${quoteComplaint(stderrTail)}`;
    breakDown(new ProgramError("PROGRAM_EXITED", text));
  });
  // A write to a dead program is reported by its end.
  child.stdin?.on("error", () => {});
  child.stderr?.on("data", (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString("utf8")).slice(-STDERR_TAIL_LENGTH);
  });
  child.stdout?.on("data", (chunk: Buffer) => {
    try {
      for (const line of readLines(chunk)) takeLine(line);
    } catch (error) {
      breakDown(error instanceof ProgramError ? error : invalid("failed", String(error)));
    }
  });
}

/** One line of the error output: the first that speaks of an error, or else the last. */
function quoteComplaint(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const complaint = lines.find((line) => /error/i.test(line)) ?? lines.at(-1);
  return complaint === undefined ? "" : `; it wrote: ${complaint.trim()}`;
}

const parseAnswer = parseFields(
  { id: parseJson },
  { result: parseJson, error: parseFields({ message: parseText }, {}) },
);

function parseLine(line: string): ReturnType<typeof parseAnswer> {
  try {
    return parseAnswer(JSON.parse(line), "answer");
  } catch {
    throw invalid("sent a line that is no answer", line);
  }
}

function invalid(what: string, line: string): ProgramError {
  const excerpt = line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}...` : line;
  return new ProgramError("PROGRAM_ANSWER_INVALID", `the program ${what}: ${excerpt}`);
}

async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const timer = setTimeout(() => killProgram(child), STOP_TIMEOUT_MS);
  child.stdin?.end();
  await ended;
  clearTimeout(timer);
  killProgram(child);
}

// A wrapper's own children may outlive it and hold the pipes: they are closed on this side, so that
// nobody waits for them.
function killProgram(child: ChildProcess): void {
  child.kill("SIGKILL");
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
}
