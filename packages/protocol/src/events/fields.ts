/**
 * Checks of the fields of events. A type's content has a check
 * for each of its fields; a test holds them against the published schema.
 */
import { type Amounts, areAmounts } from "../budget/budget.ts";
import { type ByPeriod, PERIOD_KINDS } from "../budget/period.ts";
import { isPlainObject, type JsonObject } from "../canonical-json.ts";
import type { Digest } from "../digest.ts";
import { isInstant } from "../instant.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import { hasOnly, type Is, isCount, isText } from "../shape.ts";

export const isTime: Is<string> = isInstant;
export const isAmounts: Is<Amounts> = areAmounts;

/** The digest of a definition. */
export const isDigest: Is<Digest> = (value): value is Digest =>
  typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value);
/** The digest of content, under the run's key. */
export const isContentDigest: Is<ContentDigest> = (value): value is ContentDigest =>
  typeof value === "string" && /^hmac-sha256:[0-9a-f]{64}$/.test(value);

/** Content, named by reference. */
export const isRef: Is<BlobRef> = hasOnly({
  digest: isContentDigest,
  size: isCount,
  mediaType: isText,
});

/** Something for some kinds of period. */
export function isByPeriod<Item>(check: Is<Item>): Is<ByPeriod<Item>> {
  return hasOnly({}, Object.fromEntries(PERIOD_KINDS.map((kind) => [kind, check])));
}

export const isPeriods: Is<ByPeriod<string>> = isByPeriod(isText);

export const isObject: Is<JsonObject> = (value): value is JsonObject => isPlainObject(value);

/** An object with any names, and a value of one kind under each. */
export function isRecordOf<Item>(check: Is<Item>): Is<Readonly<Record<string, Item>>> {
  return (value): value is Readonly<Record<string, Item>> =>
    isPlainObject(value) && Object.values(value).every(check);
}
