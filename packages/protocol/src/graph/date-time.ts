import { toInstant } from "../instant.ts";
import type { Is } from "../shape.ts";

const dateTimePattern =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * An instant as other programs write it: RFC 3339, with any offset and up to nine digits of a
 * second. Our own records have the one form of `isInstant`.
 */
export const isDateTime: Is<string> = (value): value is string => {
  const match = typeof value === "string" ? dateTimePattern.exec(value) : null;
  return match !== null && toInstant(`${match[1]}Z`) !== undefined;
};
