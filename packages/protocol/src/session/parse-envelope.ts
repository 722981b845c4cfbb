/**
 * Takes what a stranger calls an event of a session: each type has its own fields, all that are
 * needed and no others, or it is refused.
 *
 * A refusal says where, and never what stood there.
 */
import { isPlainObject, JSON_DEPTH_MAX } from "../canonical-json.ts";
import { copyJson } from "../copy-json.ts";
import { isInstant } from "../instant.ts";
import { APPROVAL_STATUSES, type EventContents } from "./event-content.ts";
import {
  type EventEnvelope,
  formatEnvelopeId,
  parseEnvelopeId,
  parseGenerationId,
} from "./event-envelope.ts";
import { EVENT_TYPES, type EventType } from "./event-types.ts";

/** Bytes of one envelope as JSON: an answer of a model at its largest, and what stands around. */
export const ENVELOPE_BYTES_MAX = 9 * 1024 * 1024;
/** UTF-16 units of a name in an envelope: of a tool, a trigger, a call. */
export const ENVELOPE_NAME_LENGTH_MAX = 512;

/** Sources of one answer. */
export const ANSWER_SOURCES_MAX = 256;

type Claim = (value: unknown) => boolean;

const isText: Claim = (value) => typeof value === "string";
const isName: Claim = (value) =>
  typeof value === "string" && value.length > 0 && value.length <= ENVELOPE_NAME_LENGTH_MAX;
const isFlag: Claim = (value) => typeof value === "boolean";
const isCount: Claim = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isJson: Claim = (value) => value !== undefined;
const isGeneration: Claim = (value) =>
  typeof value === "string" && parseGenerationId(value) !== undefined;
const isStatus: Claim = (value) => (APPROVAL_STATUSES as readonly unknown[]).includes(value);

const isSource: Claim = (value) =>
  isPlainObject(value) &&
  Object.hasOwn(value, "id") &&
  Object.entries(value).every(([name, text]) => sourceFields.has(name) && isText(text));
const sourceFields: ReadonlySet<string> = new Set(["id", "url", "title", "mediaType", "filename"]);
const areSources: Claim = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= ANSWER_SOURCES_MAX &&
  value.every(isSource);

interface Fields {
  readonly needed: Readonly<Record<string, Claim>>;
  readonly optional?: Readonly<Record<string, Claim>>;
}

const text: Fields = { needed: { text: isText } };
const call = { toolCallId: isName, toolName: isName };

const contents: Readonly<Record<EventType, Fields>> = {
  "user-message": text,
  "assistant-message": { ...text, optional: { sources: areSources } },
  "other-agent-message": { ...text, optional: { sources: areSources } },
  reasoning: { needed: { text: isText }, optional: { durationMs: isCount } },
  "tool-call": {
    needed: { ...call, args: isJson },
    optional: { readOnly: isFlag, approvalStatus: isStatus, approvalDescription: isText },
  },
  "tool-result": { needed: { ...call, result: isJson }, optional: { output: isText } },
  "tool-error": { needed: { ...call, error: isText }, optional: { isUserRejection: isFlag } },
  trigger: { needed: { triggerName: isName }, optional: { payload: isJson } },
  "loop-triggered": {
    needed: { triggeredBy: isName },
    optional: { parentGenerationId: isGeneration, instructions: isText },
  },
  "child-generation": {
    needed: {
      item: isJson,
      index: isCount,
      total: isCount,
      durationMs: isCount,
      parentGenerationId: isGeneration,
      childGenerationId: isGeneration,
    },
    optional: { outcome: isName, result: isJson },
  },
  "user-abort": { needed: { generationId: isGeneration } },
  "generation-failure": { needed: { error: isText } },
};

const envelope: Fields = {
  needed: {
    id: (value) => typeof value === "string" && parseEnvelopeId(value) !== undefined,
    run: isName,
    sequence: isCount,
    type: (value) => (EVENT_TYPES as readonly unknown[]).includes(value),
    content: isPlainObject,
    createdAt: isInstant,
  },
  optional: { generationId: isGeneration, message: isName, erased: (value) => value === true },
};

export type ParsedEnvelope =
  | { readonly kind: "parsed"; readonly envelope: EventEnvelope }
  | { readonly kind: "refused"; readonly problem: string };

export type ParsedContent<Type extends EventType> =
  | { readonly kind: "parsed"; readonly content: EventContents[Type] }
  | { readonly kind: "refused"; readonly problem: string };

/** Reads an envelope from the wire. */
export function parseEnvelope(value: unknown): ParsedEnvelope {
  const copied = copyJson(value, ENVELOPE_BYTES_MAX, JSON_DEPTH_MAX);
  if (copied.kind === "refused") return refuse(`the envelope ${copied.reason}`);
  const problem = checkFields(copied.value, envelope, "");
  if (problem !== undefined) return refuse(problem);
  // Held by the table: every field is there and has its type; the content is checked below.
  const parsed = copied.value as unknown as EventEnvelope;
  const inside = checkFields(parsed.content, contents[parsed.type], "/content");
  if (inside !== undefined) return refuse(inside);
  const place = parseEnvelopeId(parsed.id);
  const isAtItsPlace =
    place !== undefined &&
    formatEnvelopeId({ ...place, run: parsed.run, sequence: parsed.sequence }) === parsed.id;
  return isAtItsPlace ? { kind: "parsed", envelope: parsed } : refuse("/id names another place");
}

/** Reads what an event of one type says. */
export function parseEventContent<Type extends EventType>(
  type: Type,
  value: unknown,
): ParsedContent<Type> {
  const copied = copyJson(value, ENVELOPE_BYTES_MAX, JSON_DEPTH_MAX);
  if (copied.kind === "refused") return refuse(`the content ${copied.reason}`);
  const problem = checkFields(copied.value, contents[type], "");
  if (problem !== undefined) return refuse(problem);
  // Held by the table of this type.
  return { kind: "parsed", content: copied.value as unknown as EventContents[Type] };
}

function checkFields(value: unknown, fields: Fields, path: string): string | undefined {
  if (!isPlainObject(value)) return `${path === "" ? "/" : path} is not an object`;
  const { needed, optional = {} } = fields;
  for (const [name, holds] of Object.entries(needed)) {
    if (!Object.hasOwn(value, name)) return `${path}/${name} is missing`;
    if (!holds(value[name])) return `${path}/${name} is not what it must be`;
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(needed, name)) continue;
    const holds = Object.hasOwn(optional, name) ? optional[name] : undefined;
    if (holds === undefined) return `${path === "" ? "/" : path} has a field that it may not have`;
    if (!holds(value[name])) return `${path}/${name} is not what it must be`;
  }
  return undefined;
}

function refuse(problem: string): { readonly kind: "refused"; readonly problem: string } {
  return { kind: "refused", problem };
}
