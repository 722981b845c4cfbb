import type { Readable, Writable } from "node:stream";
import type { Terminal } from "@turnseal/terminal";

/** The parts of the process that commands use. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** For programs that speak to programs; what people read goes through the terminal. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly terminal: Terminal;
}
