import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import type { Terminal } from "../terminal/screen.ts";

/** Says that there is no such loop, and how to list those that are in the same place. */
export function reportMissing(
  name: string,
  from: readonly string[] | undefined,
  { err }: Terminal,
): ExitCode {
  err.writeLine(line(toned("bad", "LOOP_NOT_FOUND"), `  there is no loop ${name}`));
  err.writeLine(line("  ", toned("faint", "next: "), listingCommand(from)));
  return EXIT_CODES.failed;
}

/** The command that lists what is in these places. */
export function listingCommand(from: readonly string[] | undefined): string {
  const place = from === undefined ? "" : ` --from ${from.join(" ")}`;
  return `turnseal loops${place}  (lists what is there)`;
}
