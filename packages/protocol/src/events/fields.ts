/**
 * The fields of an event's content, one check each, in two lists: those that are always there, and
 * those that are there where they apply. The compiler holds the lists against the content's type, a
 * test holds them against the published schema.
 */
import { type Amounts, areAmounts } from "../budget/budget.ts";
import { type ByPeriod, PERIOD_KINDS } from "../budget/period.ts";
import { isPlainObject } from "../canonical-json.ts";
import type { Digest } from "../digest.ts";
import { isInstant } from "../instant.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";

export type Is<Value> = (value: unknown) => value is Value;

type OptionalNames<Content> = {
  [Name in keyof Content]-?: object extends Pick<Content, Name> ? Name : never;
}[keyof Content];

/** A check for every field of a content, and for no other. */
export interface ContentFields<Content> {
  readonly always: {
    readonly [Name in Exclude<keyof Content, OptionalNames<Content>>]: Is<Content[Name]>;
  };
  readonly sometimes: {
    readonly [Name in OptionalNames<Content>]-?: Is<Exclude<Content[Name], undefined>>;
  };
}

/** The field that is not as it must be, or undefined when all are. */
export function findWrongField<Content>(
  { always, sometimes }: ContentFields<Content>,
  content: Readonly<Record<string, unknown>>,
): string | undefined {
  const required: Readonly<Record<string, Is<unknown>>> = always;
  const optional: Readonly<Record<string, Is<unknown>>> = sometimes;
  for (const name of Object.keys(required)) if (!Object.hasOwn(content, name)) return name;
  for (const [name, value] of Object.entries(content)) {
    const known = Object.hasOwn(required, name) ? required : optional;
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check?.(value) !== true) return name;
  }
  return undefined;
}

export const isText: Is<string> = (value) => typeof value === "string";
export const isTime: Is<string> = isInstant;
export const isCount: Is<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
export const isTrue: Is<true> = (value) => value === true;
export const isAmounts: Is<Amounts> = areAmounts;

/** A SHA-256 in lower-case hex, as the hash of an event is written. */
export const isHash: Is<string> = (value): value is string =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
/** The digest of a definition. */
export const isDigest: Is<Digest> = (value): value is Digest =>
  typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value);
/** The digest of content, under the run's key. */
export const isContentDigest: Is<ContentDigest> = (value): value is ContentDigest =>
  typeof value === "string" && /^hmac-sha256:[0-9a-f]{64}$/.test(value);

/** Content, named by reference. */
export const isRef: Is<BlobRef> = (value): value is BlobRef =>
  isPlainObject(value) &&
  isContentDigest(value["digest"]) &&
  isCount(value["size"]) &&
  isText(value["mediaType"]);

export const isPeriods: Is<ByPeriod<string>> = (value): value is ByPeriod<string> =>
  isPlainObject(value) &&
  Object.entries(value).every(
    ([kind, name]) => isOneOf(PERIOD_KINDS)(kind) && typeof name === "string",
  );

export function isNullOr<Value>(check: Is<Value>): Is<Value | null> {
  return (value): value is Value | null => value === null || check(value);
}

export function isListOf<Item>(check: Is<Item>): Is<readonly Item[]> {
  return (value): value is readonly Item[] => Array.isArray(value) && value.every(check);
}

export function isOneOf<const Word extends string>(words: readonly Word[]): Is<Word> {
  return (value): value is Word => (words as readonly unknown[]).includes(value);
}

/** A document of its own: it is an object here, and its own reader judges what is in it. */
export function isDocument<Document extends object>(): Is<Document> {
  return (value): value is Document => isPlainObject(value);
}
