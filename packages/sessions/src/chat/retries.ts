/**
 * Turns that retry the words of the turn before, after its provider was away or it failed. To a
 * page they are one message: the failure disappears, and the answer replaces it.
 */
import { findTurn } from "@turnseal/host";
import type { SessionHost } from "../session-host.ts";

/** The most turns in a row that are read: a longer message begins later. */
export const RETRIES_SHOWN_MAX = 200;
/** The most events between the end of a turn and the start of the next. */
const BETWEEN_MAX = 200;

type LogReader = Pick<SessionHost, "stores">;

/** True for a begun turn with the words of the turn before. */
export async function isRetry({ stores: { log } }: LogReader, run: string, turn: number) {
  if (turn <= 1) return false;
  const head = await log.readHead(run);
  const end = { run, sequence: (head?.sequence ?? 0) + 1 };
  const events = await log.read(run, await findTurn(log, end, turn), BETWEEN_MAX);
  const begun = events.findIndex((event) => event.type === "turn.started" && event.turn === turn);
  const decided = events
    .slice(0, Math.max(0, begun))
    .findLast(({ type }) => type === "run.decided");
  return decided?.type === "run.decided" && decided.content.reason === "retry-after-failure";
}

/** The turn that the message of this turn begins with. */
export async function findFirstTry(host: LogReader, run: string, turn: number): Promise<number> {
  let first = turn;
  while (turn - first < RETRIES_SHOWN_MAX && (await isRetry(host, run, first))) first -= 1;
  return first;
}

/** The last turn so far that tries these words again; the turn itself where none does. */
export async function findLastTry(host: LogReader, run: string, turn: number): Promise<number> {
  let last = turn;
  while (last - turn < RETRIES_SHOWN_MAX && (await isRetry(host, run, last + 1))) last += 1;
  return last;
}
