import { line, renderNext, type Terminal, toned } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";

/** Says what could not be done, though the command line is right, and what to try next. */
export function reportFailure(terminal: Terminal, message: string, next: string): ExitCode {
  terminal.err.writeLine(line(toned("bad", "error: "), message));
  terminal.err.writeLine(renderNext(next));
  return EXIT_CODES.failed;
}
