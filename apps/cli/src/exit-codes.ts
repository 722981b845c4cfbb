/** How the command ends, for scripts to decide on. One table for every command. */
export const EXIT_CODES = {
  done: 0,
  /** The call failed, or a document was refused. */
  failed: 1,
  /** A run waits for someone's decision or answer, or is parked until its provider answers. */
  waiting: 2,
  /** A receipt or a log does not verify. */
  unverified: 3,
  /**
   * The command line is wrong: unknown command or option, missing argument, bad JSON, file not
   * found.
   */
  usage: 64,
  /** Ctrl-C: the run is left as it is, and can be resumed. As shells count it, 128 and SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
