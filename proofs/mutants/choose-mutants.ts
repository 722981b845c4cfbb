/** Each mutant runs a whole suite or many seeds: one run asks so small a part of them. */
export const MUTANT_PARTS = 128;

/** A setting for mutants that is neither `all` nor a whole number. */
const badSetting = (setting: string): Error =>
  new Error(`MUTANTS is "${setting}", and must be "all" or a whole number: which part to ask`);

/**
 * Each mutant takes long, so one run tests one part of them: the first, or the one that `setting`
 * names, modulo the number of parts. Increasing numbers test them all in time. `all` tests them at
 * once.
 */
export function chooseMutants<Kind>(
  mutants: readonly Kind[],
  parts: number,
  setting = "0",
): readonly Kind[] {
  if (setting === "all") return mutants;
  if (!/^\d{1,15}$/.test(setting)) throw badSetting(setting);
  return mutants.filter((_, index) => index % parts === Number(setting) % parts);
}
