import { setTimeout as wait } from "node:timers/promises";
import { openSession, type SessionReader } from "@turnseal/host";
import { invariant } from "@turnseal/protocol";
import type { EventEnvelope } from "@turnseal/protocol/events";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { formatSpending } from "../terminal/format-amounts.ts";
import { line, toned } from "../terminal/line.ts";
import { renderField } from "../terminal/render-field.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import { type Subject, type SubjectOptions, withSubject } from "../with-subject.ts";
import { isSealed, renderExport } from "./render-export.ts";
import { followTranscript, turnOf } from "./render-transcript.ts";

export interface TranscriptOptions extends SubjectOptions {
  readonly turn?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** How often a run that somebody follows is looked at. */
const POLL_MS = 500;

/**
 * `turnseal transcript`: the conversation of a run as people read it. It is read page by page and
 * never held as a whole.
 */
export function runTranscript(
  name: string,
  options: TranscriptOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withSubject(name, { ...options, terminal }, async (subject) => {
    const { out } = terminal;
    const { exported } = subject;
    if (exported !== undefined && options.follow === true)
      return reportUsage(terminal, "an export does not go on", `turnseal transcript ${name}`);
    // Programs are given entries and nothing else.
    const { writeLine } = options.json ? terminal.err : out;
    if (exported !== undefined) renderExport(exported).forEach(writeLine);
    const render = followTranscript();
    let [isShown, isMarked] = [false, false];
    const show = (envelope: EventEnvelope): void => {
      if (options.turn !== undefined && turnOf(envelope) !== options.turn) return;
      isShown = true;
      const isProven = isSealed(exported, envelope.sequence);
      if (!isProven && !isMarked && options.json !== true)
        out.writeLine(
          line(toned("warning", "── not sealed: anyone could have written what follows")),
        );
      isMarked ||= !isProven;
      if (options.json)
        out.writeText(`${renderJson(isProven ? envelope : { ...envelope, sealed: false })}\n`);
      else render(envelope).forEach(out.writeLine);
    };
    await readAll(await openReader(subject), show, options.follow === true);
    if (!isShown && options.turn !== undefined) return reportNone(subject, options.turn, terminal);
    if (options.json !== true && options.turn === undefined && options.follow !== true)
      describeSpending(subject).forEach(out.writeLine);
    return EXIT_CODES.done;
  });
}

function reportNone({ known: { run } }: Subject, turn: number, { err }: Terminal): ExitCode {
  err.writeLine(line(toned("bad", "error: "), `nothing was said in turn ${turn} of the run`));
  const next = `turnseal show ${shortId(run)}  (lists its latest turns)`;
  err.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.failed;
}

async function readAll(
  reader: SessionReader,
  show: (envelope: EventEnvelope) => void,
  follows: boolean,
): Promise<void> {
  for (;;) {
    const { envelopes, isEnd, standing } = await reader.read();
    envelopes.forEach(show);
    if (!isEnd) continue;
    if (!follows || standing === "stopped") return;
    await wait(POLL_MS);
  }
}

async function openReader({ known: { run }, stores }: Subject): Promise<SessionReader> {
  const opened = await openSession(stores, run);
  invariant(opened.kind === "opened", "a session begins at its beginning");
  return opened.reader;
}

function describeSpending({ known: { projection } }: Subject) {
  if (projection === undefined) return [];
  const { spending, spec } = projection;
  return renderField("spent", formatSpending(spending, spec?.grant.budget ?? {}));
}
