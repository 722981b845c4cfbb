/** One fault put into the runtime: a piece of one source file, replaced while it is loaded. */
export interface Mutant {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** It stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Puts the fault into the source; throws when the place is not there, or not unique. */
export function applyMutant({ name, file, find, replace }: Mutant, source: string): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`mutant ${name}: the text to replace must stand once in ${file}`);
  }
  return `${before}${replace}${after}`;
}
