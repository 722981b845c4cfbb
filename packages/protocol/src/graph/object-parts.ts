/** Parts of several objects of a graph, spelt as in other programs (spec/graph.md §1). */
import { isPlainObject, type JsonObject } from "../canonical-json.ts";
import { isUuid } from "../ids.ts";
import { hasOnly, type Is, isFlag, isListOf, isNullOr, isOneOf, isText } from "../shape.ts";
import { isDateTime } from "./date-time.ts";

export const isId: Is<string> = (value): value is string =>
  typeof value === "string" && isUuid(value);
export const isFilled: Is<string> = (value): value is string =>
  typeof value === "string" && value !== "";
export const isOpen: Is<JsonObject> = (value): value is JsonObject => isPlainObject(value);

const isPlainVersion: Is<string> = (value): value is string =>
  typeof value === "string" && /^\d+\.\d+\.\d+$/.test(value);

function isSetOf<Item extends string>(check: Is<Item>): Is<readonly Item[]> {
  const isList = isListOf(check);
  return (value): value is readonly Item[] =>
    isList(value) && new Set<string>(value).size === value.length;
}

const DUTIES = [
  "coordination",
  "error-handling",
  "event-bus",
  "learning-feedback",
  "observability",
  "orchestration",
  "performance",
  "protocol-versioning",
  "security",
  "state-sync",
  "transaction",
] as const;

/** The kinds of objects, by the names of their modules. */
export const MODULES = [
  "context",
  "plan",
  "confirm",
  "trace",
  "role",
  "extension",
  "dialog",
  "collab",
  "core",
  "network",
] as const;
export type Module = (typeof MODULES)[number];

export interface Meta {
  readonly protocol_version: string;
  readonly schema_version: string;
  readonly created_at?: string;
  readonly created_by?: string;
  readonly updated_at?: string;
  readonly updated_by?: string;
  readonly tags?: readonly string[];
  readonly cross_cutting?: readonly (typeof DUTIES)[number][];
}

export const isMeta: Is<Meta> = hasOnly(
  { protocol_version: isPlainVersion, schema_version: isPlainVersion },
  {
    created_at: isDateTime,
    created_by: isText,
    updated_at: isDateTime,
    updated_by: isText,
    tags: isSetOf(isText),
    cross_cutting: isSetOf(isOneOf(DUTIES)),
  },
);

/** An object, named from elsewhere. */
export interface Ref {
  readonly id: string;
  readonly module: Module;
  readonly description?: string;
}

export const isObjectRef: Is<Ref> = hasOnly(
  { id: isId, module: isOneOf(MODULES) },
  { description: isText },
);

export interface Governance {
  readonly lifecyclePhase?: string;
  readonly truthDomain?: string;
  readonly locked?: boolean;
  readonly lastConfirmRef?: Ref;
}

/** A place in a trace. */
export interface Span {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id?: string;
  readonly context_id?: string;
  readonly attributes?: JsonObject;
}

export const isSpan: Is<Span> = hasOnly(
  { trace_id: isId, span_id: isId },
  { parent_span_id: isId, context_id: isId, attributes: isOpen },
);

/** An event that stands in an object. */
export interface EmbeddedEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly source: string;
  readonly timestamp: string;
  readonly trace_id?: string;
  readonly data?: JsonObject | null;
}

const isDotted: Is<string> = (value): value is string =>
  typeof value === "string" && /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*$/.test(value);

export const isEmbeddedEvent: Is<EmbeddedEvent> = hasOnly(
  { event_id: isId, event_type: isDotted, source: isText, timestamp: isDateTime },
  { trace_id: isId, data: isNullOr(isOpen) },
);

/** Fields that every object may hold; a plan lacks the last. */
export interface Attached {
  readonly trace?: Span;
  readonly events?: readonly EmbeddedEvent[];
}

export interface Governed {
  readonly governance?: Governance;
}

export const attached = { trace: isSpan, events: isListOf(isEmbeddedEvent) };
const isGovernance: Is<Governance> = hasOnly(
  {},
  { lifecyclePhase: isText, truthDomain: isText, locked: isFlag, lastConfirmRef: isObjectRef },
);
export const governed = { governance: isGovernance };
