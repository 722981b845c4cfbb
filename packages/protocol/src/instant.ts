/**
 * Instants as text: ISO 8601 in UTC with milliseconds, such as `2026-01-01T00:00:00.000Z`.
 *
 * All have the same length, so that the order of texts is the order of times in every language.
 */
const YEAR_ZERO = "0000";
const writtenPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?Z$/;

/**
 * True for an instant in the one form that records use. It is one of the calendar: a text such as
 * `2026-13-45T99:99:99.999Z` would order well, and mean nothing.
 */
export function isInstant(value: unknown): value is string {
  return toInstant(value) === value && value !== undefined;
}

/** An instant as people write it, in the form of records; undefined when it is no such instant. */
export function toInstant(value: unknown): string | undefined {
  const match = typeof value === "string" ? writtenPattern.exec(value) : null;
  if (match === null) return undefined;
  const [, seconds, fraction = ""] = match;
  const instant = `${seconds}.${fraction.padEnd(3, "0")}Z`;
  const time = Date.parse(instant);
  // A day that does not exist, such as the 30th of February, is moved to another by the parser.
  const isReal =
    !Number.isNaN(time) &&
    new Date(time).toISOString() === instant &&
    !instant.startsWith(YEAR_ZERO);
  return isReal ? instant : undefined;
}
