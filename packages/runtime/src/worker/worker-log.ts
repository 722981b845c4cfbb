/**
 * What a worker says while it works: one JSON object per line. Names, ids and counts only: what was
 * asked, answered or done is content, and stays out.
 */
import { isLoopError, type LoopEvent } from "@turnseal/protocol";

export type LogLevel = "info" | "warn" | "error";

export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

export interface WorkerLog {
  say(level: LogLevel, what: string, facts?: LogFacts): void;
  /** An error by its code alone: its words may hold what it was about. */
  sayError(what: string, error: unknown, facts?: LogFacts): void;
  onEvent(event: LoopEvent): void;
}

const shown: ReadonlyMap<string, readonly string[]> = new Map([
  ["run.started", []],
  ["turn.denied", ["reason"]],
  ["turn.resumed", []],
  ["turn.waiting", ["for", "until"]],
  ["turn.closed", ["outcome", "reason"]],
  ["action.unknown", ["action", "name"]],
  ["run.stopped", ["reason"]],
]);

export function createWorkerLog(write: (text: string) => void, now = Date.now): WorkerLog {
  const say: WorkerLog["say"] = (level, what, facts = {}) => {
    const at = new Date(now()).toISOString();
    write(`${JSON.stringify({ at, level, what, ...facts })}\n`);
  };
  return {
    say,
    sayError: (what, error, facts = {}) => {
      const code = isLoopError(error) ? error.code : nameOf(error);
      say("error", what, { ...facts, code });
    },
    onEvent: ({ type, run, turn, sequence, content }) => {
      const names = shown.get(type);
      if (names === undefined) return;
      const facts = names.flatMap((name) => {
        const value = content[name];
        return typeof value === "string" || typeof value === "number" ? [[name, value]] : [];
      });
      const place = { run, sequence, ...(turn === undefined ? {} : { turn }) };
      const level = type === "action.unknown" ? "warn" : "info";
      say(level, type, { ...place, ...Object.fromEntries(facts) });
    },
  };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
