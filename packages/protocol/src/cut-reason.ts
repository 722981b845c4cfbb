/** The longest reason that a caller is given, in UTF-16 units. */
export const REASON_LENGTH_MAX = 2_000;

/** Cuts the words of a tool, a provider or a person. */
export function cutReason(words: string): string {
  return words.slice(0, REASON_LENGTH_MAX).toWellFormed();
}
