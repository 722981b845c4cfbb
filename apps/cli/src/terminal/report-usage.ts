import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "./line.ts";
import type { Terminal } from "./screen.ts";

/** Says what is wrong with the command line and what to try instead. */
export function reportUsage(terminal: Terminal, message: string, next: string): ExitCode {
  terminal.err.writeLine(line(toned("bad", "error: "), message));
  terminal.err.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.usage;
}
