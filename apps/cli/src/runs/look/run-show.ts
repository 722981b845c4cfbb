import { readContent, readEvents, traceRun } from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import { line, type Terminal, toned, writeJson } from "@turnseal/terminal";
import {
  isSealed,
  renderExport,
  renderRun,
  type ShownRun,
  type ShownTurn,
  toJsonRun,
} from "@turnseal/terminal/runs";
import { followFlows, followReports } from "@turnseal/views";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type Subject, type SubjectOptions, withSubject } from "../../with-subject.ts";
import { readStandingOf } from "../state/read-standing-of.ts";

export interface ShowOptions extends SubjectOptions {
  readonly json?: boolean;
  readonly content?: boolean;
  readonly pid?: boolean;
  readonly trace?: boolean;
}

/** How many of the latest turns are shown. */
export const TURNS_SHOWN_MAX = 20;

/** `turnseal show`: where a run stands, what it spent, what is open. */
export function runShow(
  name: string,
  options: ShowOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  return withSubject(name, { ...options, terminal }, async (subject) => {
    if (options.pid) return writePid(subject, terminal);
    if (options.trace) return writeTrace(subject, options, terminal);
    const shown = await collectRun(subject, options);
    if (options.json) writeJson(terminal.out, toJsonRun(shown), 2);
    else renderRun(shown).forEach(terminal.out.writeLine);
    return EXIT_CODES.done;
  });
}

/** One event of LSEM on each line, for programs. */
async function writeTrace(
  { known, stores, exported }: Subject,
  options: ShowOptions,
  { out, err }: Terminal,
): Promise<ExitCode> {
  if (exported !== undefined) renderExport(exported).forEach(err.writeLine);
  for await (const event of traceRun(stores, known.run, options)) writeJson(out, event);
  return EXIT_CODES.done;
}

async function writePid({ known, folder }: Subject, { out, err }: Terminal): Promise<ExitCode> {
  const holder = folder && (await folder.stores.leases.read(known.run));
  if (holder !== undefined) {
    out.writeText(`${holder.pid}\n`);
    return EXIT_CODES.done;
  }
  err.writeLine(line(toned("bad", "error: "), "no process is executing the run"));
  return EXIT_CODES.failed;
}

async function collectRun(subject: Subject, { content }: ShowOptions): Promise<ShownRun> {
  const { known, stores, exported } = subject;
  const { run, projection } = known;
  const followed = await collectTurns(subject);
  const standing = await readStandingOf(subject);
  const shown = {
    ...known,
    ...standing,
    ...followed,
    ...(exported === undefined ? {} : { exported }),
  };
  if (content !== true || projection === undefined) return shown;
  const read = async (reference: Parameters<typeof readContent>[2] | null | undefined) =>
    reference == null ? undefined : await readContent(stores, run, reference);
  const values: Record<string, JsonValue> = {};
  const input = await read(projection.input);
  if (input !== undefined) values["input"] = input;
  const output = await read(projection.lastTurn?.output);
  if (output !== undefined) values["output"] = output;
  return { ...shown, content: values };
}

/** The latest turns; of an export, also what of them no receipt vouches for. */
async function collectTurns({
  known,
  stores,
  exported,
}: Subject): Promise<Pick<ShownRun, "turns" | "openFlow" | "unsealedSignals">> {
  const report = followReports();
  const turns: ShownTurn[] = [];
  const unsealedSignals = new Set<string>();
  let flows = followFlows();
  for await (const event of readEvents(stores.log, known.run, 1)) {
    const decisionSealed = isSealed(exported, event.sequence);
    const turn = report(event);
    flows.take(event);
    if (turn !== undefined) {
      const sealed = exported === undefined ? {} : { decisionSealed };
      turns.push({ ...turn, ...sealed, flow: flows.summarize() });
      flows = followFlows();
    }
    if (turns.length > TURNS_SHOWN_MAX) turns.shift();
    if (!decisionSealed && event.type === "signal.received" && event.content.kind === "signal")
      unsealedSignals.add(event.content.name);
  }
  return { turns, unsealedSignals, openFlow: flows.summarize() };
}
