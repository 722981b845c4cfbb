/** The records of W3C PROV, and the document of PROV-JSON that they make. */
import type { JsonObject, JsonValue } from "@turnseal/protocol";

/** Each kind of relation, with what it relates: both are named by id. */
export const PROV_RELATIONS = {
  used: ["activity", "entity"],
  wasGeneratedBy: ["entity", "activity"],
  wasAssociatedWith: ["activity", "agent"],
  wasAttributedTo: ["entity", "agent"],
  wasInformedBy: ["informed", "informant"],
  wasDerivedFrom: ["generatedEntity", "usedEntity"],
  wasEndedBy: ["activity", "trigger"],
} as const;
export type ProvRelation = keyof typeof PROV_RELATIONS;

/** The elements that relations connect. */
export const PROV_ELEMENTS = ["entity", "activity", "agent"] as const;
export type ProvElement = (typeof PROV_ELEMENTS)[number];

export interface ProvRecord {
  readonly kind: ProvElement | ProvRelation;
  readonly id: string;
  /** The one event of the log that it was made of. */
  readonly sequence: number;
  readonly attributes: JsonObject;
}

/** A document of PROV-JSON: records by their kind, and then by their id. */
export function toProvDocument(run: string, records: Iterable<ProvRecord>): JsonObject {
  const byKind: Record<string, Record<string, JsonValue>> = {};
  for (const { kind, id, sequence, attributes } of records) {
    byKind[kind] ??= {};
    byKind[kind][id] = { ...attributes, "turnseal:sequence": sequence };
  }
  return {
    prefix: { turnseal: "https://turnseal.dev/prov/v1#", run: `urn:uuid:${run}#` },
    ...byKind,
  };
}
