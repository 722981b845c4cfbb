/** Options that commands of several subjects have, in one wording. */

export const RUN_HELP = "a run id, the beginning of one, or last";
export const SUBJECT_HELP = `${RUN_HELP}; or the file of an export`;
/** How an export is judged. */
export const EXPORT_KEYS = [
  "--keys <file>",
  "for an export: trust these keys and no others (default: the store's)",
] as const;
export const EXPORT_OPEN = [
  "--allow-open",
  "for an export: accept an open turn, and exit with 0 if the sealed part is valid",
] as const;
export const PRICES = [
  "--prices <file>",
  "prices of models as JSON, overriding the built-in ones (default: as the run was started)",
] as const;
/** The grant of a run that is started. */
export const GRANT = [
  "--grant <file>",
  "a grant as JSON: grantor, tools, budget, expiresAt",
] as const;
export const BUDGET = [
  "--budget <amounts>",
  "caps for the run, such as modelCalls=8,toolCalls=4",
] as const;
export const EXPIRES = [
  "--expires <time>",
  "when the grant expires, such as 2030-01-31T00:00:00Z",
] as const;
/** For commands that execute many runs. */
export const PRICE_TABLE = [
  "--prices <file>",
  "prices of models as JSON, overriding the built-in ones: for budgets with moneyMicros",
] as const;
export const STORE = [
  "--store <folder>",
  "the folder where runs are stored (default: .turnseal)",
] as const;
/** Where the loops of a run are that has been started. */
export const FROM = [
  "--from <paths...>",
  "files or folders with its loops (default: those the run was started with)",
] as const;

/** Collects the values of a repeatable option. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
