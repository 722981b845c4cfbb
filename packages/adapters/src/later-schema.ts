/**
 * A schema of a later version than this program's: what a rolled back deployment finds.
 *
 * A program can work with a schema that is one migration ahead, if that migration says so. A
 * migration that only adds parts that older programs ignore declares this, and its deployment can
 * be rolled back.
 */
export interface LatestMigration {
  readonly number: number;
  /** How many migrations a program must know at least to read and write it. */
  readonly oldest: number;
}

/** True when a program that knows so many migrations can work with a schema of a later one. */
export function canLiveWith({ number, oldest }: LatestMigration, known: number): boolean {
  return number === known + 1 && oldest <= known;
}

/** Why it cannot, and what helps. */
export function describeAhead({ number, oldest }: LatestMigration, known: number): string {
  const least = Math.max(oldest, number - 1);
  return `has migration ${number}, and this program knows ${known}: use one that knows ${least}`;
}
