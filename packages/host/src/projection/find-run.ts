/** Whether there is a run, also one that nobody has driven yet. Files are kept for no other. */
import { type InboxMessage, renderBody, type Stores } from "@turnseal/ports";
import { HostError } from "../host-error.ts";
import { readRun } from "./read-run.ts";

/** Throws where there is no such run: nobody could find, list or erase what is kept for it. */
export async function checkKnown(run: string, { log, inbox }: Stores): Promise<void> {
  if ((await log.readHead(run)) !== undefined || (await inbox.has(run, "start"))) return;
  throw new HostError("FILE_REFUSED", "there is no such run");
}

/** True for a start that an inbox can keep, of a run that has none yet. */
export async function mayBegin(message: InboxMessage, stores: Stores): Promise<boolean> {
  if (renderBody(message).kind === "refused") return false;
  if (await stores.inbox.has(message.run, "start")) return false;
  return ((await readRun(stores, message.run))?.spec ?? null) === null;
}
