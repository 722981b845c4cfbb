/** Options that commands of several subjects have, in one wording. */

export const RUN_HELP = "a run id, the beginning of one, or last";
export const STORE = [
  "--store <folder>",
  "the folder where runs are stored (default: .turnseal)",
] as const;
/** Where the loops of a run are that has been started. */
export const FROM = [
  "--from <paths...>",
  "files or folders with its loops (default: those the run was started with)",
] as const;

/** Every value of an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
