import type { ExitCode } from "../exit-codes.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";

/** A run that has stopped takes no word on its files: nothing of it would be recorded. */
export function reportStopped(run: string, terminal: Terminal): ExitCode {
  const words = "has stopped, and takes no word on its files: nothing was changed";
  const id = shortId(run);
  const next =
    `turnseal drift ${id} shows what differs, and turnseal rollback ${id} --dry-run what can be ` +
    "taken back; a new run can adopt the files";
  return reportUsage(terminal, `run ${id} ${words}`, next);
}
