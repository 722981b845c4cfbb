const SHOWN = 8;

/** The beginning of a run's id: enough for a command line, and for a person to compare. */
export function shortId(run: string): string {
  return run.slice(0, SHOWN);
}
