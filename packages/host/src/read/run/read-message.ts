/** Reads from the log of a run what became of a message to it. */
import { followMessage, type MessageState } from "@turnseal/views";
import { type RunReader, readEvents } from "../../state/load-projection.ts";
import { readRun } from "../../state/read-run.ts";
import { findBefore } from "../session/find-event.ts";

/** The most events before the end of a log in which a message is searched. */
export const MESSAGE_LOOK_BACK_MAX = 10_000;

/**
 * The sequence number of the event that took a message into the log; undefined for one that is
 * still in the inbox, or is too far back.
 */
export async function findMessage(
  log: RunReader["log"],
  { run, message }: { readonly run: string; readonly message: string },
): Promise<number | undefined> {
  const end = ((await log.readHead(run))?.sequence ?? 0) + 1;
  const place = { run, sequence: end, first: end - MESSAGE_LOOK_BACK_MAX };
  const found = await findBefore(
    log,
    place,
    ({ type, content }) => type === "signal.received" && content.key === message,
  );
  return found?.sequence;
}

/** What became of a message; undefined as long as the log does not name it. */
export async function readMessage(
  stores: RunReader,
  run: string,
  message: string,
): Promise<MessageState | undefined> {
  const from = await findMessage(stores.log, { run, message });
  const spec = from === undefined ? undefined : (await readRun(stores, run))?.spec;
  if (from === undefined) return undefined;
  const follow = followMessage(message, spec ?? undefined);
  let state: MessageState | undefined;
  for await (const event of readEvents(stores.log, run, from)) {
    state = follow(event);
    if (state?.kind === "taken" || state?.kind === "refused") break;
  }
  return state;
}
