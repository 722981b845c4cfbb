import { PROTOCOL_VERSION, parseHello } from "./answers.ts";
import { ProgramError } from "./program-error.ts";
import { type Patience, type Program, startProgram } from "./start-program.ts";

/** How often a broken program is started again before the suite gives it up. */
export const BREAKDOWNS_MAX = 5;

/** A program that is running and has said hello, for as long as that can be had. */
export interface ProgramSupply {
  /**
   * The running program, started again after a breakdown. Rejects when it breaks down too often.
   */
  take(): Promise<Program>;
  stop(): Promise<void>;
}

export function createProgramSupply(options: {
  readonly command: readonly string[];
  readonly profile: string;
  readonly patience?: Patience;
}): ProgramSupply {
  let program: Program | undefined;
  let refusal: unknown;
  let breakdowns = 0;
  const start = async (): Promise<Program> => {
    const started = startProgram(options.command, options.patience);
    program = started;
    try {
      await greetProgram(started, options.profile);
    } catch (error) {
      // A program that answers the greeting wrongly would do so again; a crash may be chance.
      if (!started.isBroken()) refusal = error;
      throw error;
    }
    return started;
  };
  return {
    stop: async () => program?.stop(),
    take: async () => {
      if (refusal !== undefined) throw refusal;
      if (program === undefined) return start();
      if (!program.isBroken()) return program;
      if (++breakdowns <= BREAKDOWNS_MAX) return start();
      refusal = new ProgramError(
        "PROGRAM_NOT_STARTED",
        `the program broke down more than ${BREAKDOWNS_MAX} times`,
      );
      throw refusal;
    },
  };
}

async function greetProgram(program: Program, profile: string): Promise<void> {
  const hello = parseHello(await program.ask("hello", { protocol: PROTOCOL_VERSION }), "hello");
  if (hello.protocol !== PROTOCOL_VERSION) {
    const text = `the program speaks protocol ${hello.protocol}, the suite ${PROTOCOL_VERSION}`;
    throw new ProgramError("PROGRAM_ANSWER_INVALID", text);
  }
  if (!hello.profiles.includes(profile)) {
    throw new ProgramError("PROGRAM_REFUSED", `the program does not offer the profile ${profile}`);
  }
}
