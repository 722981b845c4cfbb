import { shortId } from "@turnseal/terminal";
import { RefusalError } from "../../terminal/refusal.ts";

/** A stopped run accepts no answer on its files: it would not be recorded. */
export function refuseStopped(run: string): RefusalError {
  const words = "has stopped, and takes no word on its files: nothing was changed";
  const id = shortId(run);
  const next =
    `turnseal drift ${id} shows what differs, and turnseal rollback ${id} --dry-run what can be ` +
    "taken back; a new run can adopt the files";
  return new RefusalError(`run ${id} ${words}`, next);
}
