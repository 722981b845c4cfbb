import { followReports, readContent, readEvents, type TurnReport, traceRun } from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import { findObstacle, readLease, readStanding } from "@turnseal/runtime/folder";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { type NamedRun, type StoreOptions, withRun } from "../with-run.ts";
import { renderRun, type ShownRun, toJsonRun } from "./render-run.ts";

export interface ShowOptions extends StoreOptions {
  readonly json?: boolean;
  readonly content?: boolean;
  readonly pid?: boolean;
  readonly trace?: boolean;
}

/** How many of the latest turns are shown. */
export const TURNS_SHOWN_MAX = 20;

/** `turnseal show`: where a run stands, what it spent, what is open. */
export function runShow(name: string, options: ShowOptions, terminal: Terminal): Promise<ExitCode> {
  return withRun(name, { ...options, terminal }, async (named) => {
    if (options.pid) return writePid(named, terminal);
    if (options.trace) return writeTrace(named, options, terminal);
    const shown = await collectRun(named, options);
    if (options.json) terminal.out.writeText(`${renderJson(toJsonRun(shown), 2)}\n`);
    else renderRun(shown).forEach(terminal.out.writeLine);
    return EXIT_CODES.done;
  });
}

/** One event of LSEM on each line, for programs. */
async function writeTrace(
  { known, folder }: NamedRun,
  options: ShowOptions,
  { out }: Terminal,
): Promise<ExitCode> {
  for await (const event of traceRun(folder.stores, known.run, options))
    out.writeText(`${renderJson(event)}\n`);
  return EXIT_CODES.done;
}

async function writePid({ known, folder }: NamedRun, { out, err }: Terminal): Promise<ExitCode> {
  const holder = await readLease(folder.path, known.run);
  if (holder !== undefined) {
    out.writeText(`${holder.pid}\n`);
    return EXIT_CODES.done;
  }
  err.writeLine(line(toned("bad", "error: "), "no process is executing the run"));
  return EXIT_CODES.failed;
}

async function collectRun(
  { known, folder }: NamedRun,
  { content }: ShowOptions,
): Promise<ShownRun> {
  const { run, projection } = known;
  const turns = await collectTurns({ known, folder });
  const obstacle = await findObstacle(folder, known);
  const state = await readStanding(folder, known);
  const shown = { ...known, state, turns, ...(obstacle === undefined ? {} : { obstacle }) };
  if (content !== true || projection === undefined) return shown;
  const read = async (reference: Parameters<typeof readContent>[2] | null | undefined) =>
    reference == null ? undefined : await readContent(folder.stores, run, reference);
  const values: Record<string, JsonValue> = {};
  const input = await read(projection.input);
  if (input !== undefined) values["input"] = input;
  const output = await read(projection.lastTurn?.output);
  if (output !== undefined) values["output"] = output;
  return { ...shown, content: values };
}

async function collectTurns({ known, folder }: NamedRun): Promise<TurnReport[]> {
  const report = followReports();
  const turns: TurnReport[] = [];
  for await (const event of readEvents(folder.stores.log, known.run, 1)) {
    const turn = report(event);
    if (turn !== undefined) turns.push(turn);
    if (turns.length > TURNS_SHOWN_MAX) turns.shift();
  }
  return turns;
}
