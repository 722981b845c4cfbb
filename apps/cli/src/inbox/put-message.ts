/** Puts what a person says into the inbox of a run, and says when it will be read. */

import type { InboxMessage, PutAnswer, PutRefusal } from "@turnseal/ports";
import { findIdleRoot, findObstacle } from "@turnseal/runtime/folder";
import { openLoops } from "@turnseal/runtime/runs";
import { line, renderDetail, shortId, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { renderResume } from "@turnseal/terminal/inbox";
import { renderObstacle } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { NamedRun, StoreOptions } from "../with-run.ts";

export interface PutOptions extends StoreOptions {
  readonly json?: boolean;
}

/** The confirmation of a message, and its effect if that is more than being stored. */
export interface PutWords {
  readonly done: string;
  readonly after: string;
  /** For programs. */
  readonly facts: object;
}

interface PutReport extends PutOptions {
  readonly terminal: Terminal;
  readonly words?: PutWords;
}

const refusals: Readonly<Record<PutRefusal, string>> = {
  "other-message": "a different message was sent with the same key",
  "too-large": "the message is too large, or nests too deeply",
  unreadable: "the text contains NUL or an invalid Unicode character, which cannot be stored",
  full: "the run has too many unread messages: try again when it has read them (cancel always works)",
  erased: "the content of the run was erased",
};

/** Puts a message for a run that has not stopped. */
export async function putMessage(
  message: InboxMessage,
  named: NamedRun,
  report: PutReport,
): Promise<ExitCode> {
  const { run, projection } = named.known;
  const stopped = projection?.stopped ?? null;
  const next = `turnseal explain ${shortId(run)}`;
  if (stopped !== null) throw refuse(`the run has stopped: ${stopped}`, next);
  const answer = await named.folder.stores.inbox.put(message);
  return reportPut(message.kind, answer, { ...report, named });
}

/** Reports the fate of a message, and when it will be read. */
export async function reportPut(
  kind: InboxMessage["kind"],
  answer: PutAnswer,
  { json, terminal, words, named }: PutReport & { readonly named: NamedRun },
): Promise<ExitCode> {
  const { known, folder } = named;
  const { run, projection } = known;
  if (answer.kind === "refused") {
    const isOther = kind === "decide" && answer.reason === "other-message";
    const why = isOther ? "you have already decided otherwise" : refusals[answer.reason];
    throw refuse(why, `turnseal show ${shortId(run)}`);
  }
  // A run that has stopped has read it already, or its worker does.
  const isOver = (projection?.stopped ?? null) !== null;
  const idle = isOver ? undefined : await findIdleRoot(folder, run);
  // The next person to resume it learns of its obstacle.
  const loops = idle === undefined ? undefined : await openLoops(folder, undefined)(known);
  const obstacle = isOver ? undefined : await findObstacle(folder, known, loops);
  const { out } = terminal;
  if (json) {
    const report = { type: kind, run, status: answer.kind, isCarried: idle === undefined };
    const blocked = obstacle === undefined ? {} : { blocked: obstacle.why };
    writeJson(out, { ...report, ...blocked, ...words?.facts });
    return EXIT_CODES.done;
  }
  const isKnown = answer.kind === "known";
  const kept = isKnown ? "was sent before" : "is saved for the run";
  const told = words === undefined ? `${kind} ${kept}` : words.done;
  const done = isKnown && words !== undefined ? `saved before: ${words.done}` : told;
  out.writeLine(line(toned("good", "✓ "), `${done}  ${shortId(run)}`));
  if (words !== undefined) renderDetail("then", words.after).forEach(out.writeLine);
  if (obstacle !== undefined) renderObstacle(obstacle, shortId(run)).forEach(out.writeLine);
  else if (idle !== undefined) out.writeLine(renderResume(idle));
  return EXIT_CODES.done;
}

function refuse(message: string, next: string): RefusalError {
  return new RefusalError(`not accepted: ${message}`, next, EXIT_CODES.failed);
}
