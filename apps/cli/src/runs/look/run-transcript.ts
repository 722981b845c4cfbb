import { setTimeout as wait } from "node:timers/promises";
import { openSession, type SessionReader } from "@turnseal/host";
import { invariant } from "@turnseal/protocol";
import type { EventEnvelope } from "@turnseal/protocol/events";
import { formatSpending, line, renderField, shortId, toned, writeJson } from "@turnseal/terminal";
import { followTranscript, isSealed, renderExport, turnOf } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { RefusalError } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type Subject, type SubjectOptions, withSubject } from "../../with-subject.ts";

export interface TranscriptOptions extends SubjectOptions {
  readonly turn?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** The pause between two looks at a followed run. */
const POLL_MS = 500;

/**
 * `turnseal transcript`: the conversation of a run as people read it. It is read page by page and
 * never held as a whole.
 */
export function runTranscript(
  name: string,
  options: TranscriptOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  return withSubject(name, { ...options, terminal }, async (subject) => {
    const { out } = terminal;
    const { exported } = subject;
    if (exported !== undefined && options.follow === true)
      throw new RefusalError("an export does not go on", `turnseal transcript ${name}`);
    // Programs get entries and nothing else.
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
      if (options.json) writeJson(out, isProven ? envelope : { ...envelope, sealed: false });
      else render(envelope).forEach(out.writeLine);
    };
    await readAll(await openReader(subject), show, options.follow === true);
    if (!isShown && options.turn !== undefined) throw refuseTurn(subject, options.turn);
    if (options.json !== true && options.turn === undefined && options.follow !== true)
      describeSpending(subject).forEach(out.writeLine);
    return EXIT_CODES.done;
  });
}

function refuseTurn({ known: { run } }: Subject, turn: number): RefusalError {
  const next = `turnseal show ${shortId(run)}  (lists its latest turns)`;
  return new RefusalError(`turn ${turn} of the run has no messages`, next, EXIT_CODES.failed);
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
