/**
 * Drafts of JSON Schema before 2020-12 (spec/loop.md §5.1).
 *
 * A schema is always read as 2020-12. A schema that declares an older draft is accepted where every
 * keyword in it means the same there; other keywords are named.
 */
import type { JsonObject } from "@turnseal/protocol";
import { metaSchema } from "./meta-schema.ts";

/** In their order. */
const drafts = ["draft-04", "draft-06", "draft-07", "draft/2019-09", "draft/2020-12"] as const;
export type Draft = (typeof drafts)[number];

const schemaUrl = /^https?:\/\/json-schema\.org\/(draft[-/][0-9-]+)\/schema#?$/;

/** The draft that a `$schema` names, where it is one of ours. */
export function findDraft(declared: unknown): Draft | undefined {
  const [, name] = typeof declared === "string" ? (schemaUrl.exec(declared) ?? []) : [];
  return drafts.find((draft) => draft === name);
}

/** The first draft with each keyword. Earlier drafts ignore it, and 2020-12 does not. */
const knownSince: Readonly<Record<string, Draft>> = {
  const: "draft-06",
  contains: "draft-06",
  propertyNames: "draft-06",
  if: "draft-07",
  $anchor: "draft/2019-09",
  dependentRequired: "draft/2019-09",
  dependentSchemas: "draft/2019-09",
  maxContains: "draft/2019-09",
  minContains: "draft/2019-09",
  unevaluatedProperties: "draft/2019-09",
  // In 2019-09 an item that `contains` found was not looked at by that.
  unevaluatedItems: "draft/2020-12",
  prefixItems: "draft/2020-12",
};

/** Keywords that do not constrain a value. */
const annotations: ReadonlySet<string> = new Set([
  ...["$schema", "$id", "$comment", "$vocabulary", "$defs", "definitions"],
  ...["title", "description", "deprecated", "readOnly", "writeOnly", "examples"],
  ...["contentEncoding", "contentMediaType", "contentSchema"],
]);
const assertions: ReadonlySet<string> = new Set(
  Object.keys(metaSchema["properties"] as JsonObject).filter((name) => !annotations.has(name)),
);

export interface ForeignKeyword {
  readonly keyword: string;
  readonly mend: string;
}

/** The keywords of one schema, not of those in it, that mean something else in their draft. */
export function listForeign(schema: JsonObject, draft: Draft): ForeignKeyword[] {
  return Object.keys(schema).flatMap((keyword) => {
    const mend = findMend(schema, keyword, draft);
    return mend === undefined ? [] : [{ keyword, mend }];
  });
}

function findMend(schema: JsonObject, keyword: string, draft: Draft): string | undefined {
  const since = Object.hasOwn(knownSince, keyword) ? knownSince[keyword] : undefined;
  if (since !== undefined && isBefore(draft, since)) return "write the schema in draft 2020-12";
  if (keyword === "items" && Array.isArray(schema["items"]) && isBefore(draft, "draft/2020-12"))
    return "write prefixItems and items, in draft 2020-12";
  if (!isBefore(draft, "draft/2019-09")) return undefined;
  if (keyword === "dependencies")
    return "write dependentRequired or dependentSchemas, in draft 2020-12";
  const isPassedOver = "$ref" in schema && keyword !== "$ref" && assertions.has(keyword);
  return isPassedOver ? "put $ref into an allOf of its own: this draft passes it over" : undefined;
}

function isBefore(draft: Draft, other: Draft): boolean {
  return drafts.indexOf(draft) < drafts.indexOf(other);
}
