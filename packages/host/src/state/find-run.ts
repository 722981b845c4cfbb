/**
 * Checks that a run exists, even if it has no events yet. Files are stored for existing runs only.
 */
import { type InboxMessage, renderBody, type Stores } from "@turnseal/ports";
import { HostError } from "../host-error.ts";
import { readRun } from "./read-run.ts";

/** Throws if there is no such run: files for it could never be found, listed or erased. */
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
