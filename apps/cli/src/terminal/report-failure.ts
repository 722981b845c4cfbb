import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, renderNext, toned } from "./line.ts";
import type { Terminal } from "./screen.ts";

/** Says what could not be done, though the command line is right, and what to try next. */
export function reportFailure(terminal: Terminal, message: string, next: string): ExitCode {
  terminal.err.writeLine(line(toned("bad", "error: "), message));
  terminal.err.writeLine(renderNext(next));
  return EXIT_CODES.failed;
}
