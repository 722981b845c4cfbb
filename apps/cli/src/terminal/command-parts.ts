import type { ExitCode } from "../exit-codes.ts";
import type { Surroundings } from "./surroundings.ts";

/** The parts that functions which add commands get. */
export interface CommandParts {
  readonly surroundings: Surroundings;
  readonly report: (exitCode: number) => void;
}

/** A command: its arguments, its options, and the process around it. */
type Run =
  | ((options: never, surroundings: Surroundings) => Promise<ExitCode>)
  | ((first: never, options: never, surroundings: Surroundings) => Promise<ExitCode>)
  | ((first: never, rest: never, options: never, surroundings: Surroundings) => Promise<ExitCode>);

/**
 * Makes the action of a command, which is loaded when it runs. It gets the arguments and options
 * that were typed, and then the surroundings.
 */
export function act({ surroundings, report }: CommandParts, load: () => Promise<Run>) {
  return async (...typed: unknown[]): Promise<void> => {
    const run = (await load()) as (...args: unknown[]) => Promise<ExitCode>;
    // Commander gives the command itself as the last.
    report(await run(...typed.slice(0, -1), surroundings));
  };
}
