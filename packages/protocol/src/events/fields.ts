/**
 * What fields of events are checked by, beside what every field is. A type's content has a check
 * for each of its fields; a test holds them against the published schema.
 */
import { type Amounts, areAmounts } from "../budget/budget.ts";
import { type ByPeriod, PERIOD_KINDS } from "../budget/period.ts";
import { isPlainObject } from "../canonical-json.ts";
import type { Digest } from "../digest.ts";
import { isInstant } from "../instant.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import { hasFields, type Is, isCount, isOneOf, isText } from "../shape.ts";

export const isTime: Is<string> = isInstant;
export const isAmounts: Is<Amounts> = areAmounts;

/** The digest of a definition. */
export const isDigest: Is<Digest> = (value): value is Digest =>
  typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value);
/** The digest of content, under the run's key. */
export const isContentDigest: Is<ContentDigest> = (value): value is ContentDigest =>
  typeof value === "string" && /^hmac-sha256:[0-9a-f]{64}$/.test(value);

/** Content, named by reference. */
export const isRef: Is<BlobRef> = hasFields({
  digest: isContentDigest,
  size: isCount,
  mediaType: isText,
});

export const isPeriods: Is<ByPeriod<string>> = (value): value is ByPeriod<string> =>
  isPlainObject(value) &&
  Object.entries(value).every(
    ([kind, name]) => isOneOf(PERIOD_KINDS)(kind) && typeof name === "string",
  );

/** A document of its own: it is an object here, and its own reader judges what is in it. */
export function isDocument<Document extends object>(): Is<Document> {
  return (value): value is Document => isPlainObject(value);
}
