/**
 * Takes what a stranger calls an event of a session: each type has its own fields, all that are
 * needed and no others, or it is refused.
 *
 * A refusal says where, and never what stood there.
 */
import { isPlainObject, JSON_DEPTH_MAX, type JsonValue } from "../canonical-json.ts";
import { copyJson } from "../copy-json.ts";
import { FILES_MAX } from "../files/file-limits.ts";
import { isFileRef } from "../files/file-ref.ts";
import { isInstant } from "../instant.ts";
import {
  type Fields,
  type FieldsOf,
  findWrongField,
  hasOnly,
  type Is,
  isCount,
  isFlag,
  isListOf,
  isOneOf,
  isText,
  isTrue,
} from "../shape.ts";
import { APPROVAL_STATUSES, type EventContents, type SummarizedEntries } from "./event-content.ts";
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

const isName: Is<string> = (value): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= ENVELOPE_NAME_LENGTH_MAX;
/** Every value that was copied is JSON. */
const isJson: Is<JsonValue> = (value): value is JsonValue => value !== undefined;
const isGeneration: Is<string> = (value): value is string =>
  typeof value === "string" && parseGenerationId(value) !== undefined;

const isSource = hasOnly(
  { id: isText },
  { url: isText, title: isText, mediaType: isText, filename: isText },
);
const areSources = isListOf(isSource, { least: 1, most: ANSWER_SOURCES_MAX });

const areFiles = isListOf(isFileRef, { least: 1, most: FILES_MAX });
const isSpan = hasOnly({ from: isCount, to: isCount });
const isSummarized: Is<SummarizedEntries> = (value): value is SummarizedEntries =>
  isSpan(value) && value.from < value.to;
const answer = { always: { text: isText }, sometimes: { sources: areSources, files: areFiles } };
const call = { toolCallId: isName, toolName: isName };

const contents: { readonly [Type in EventType]: FieldsOf<EventContents[Type]> } = {
  "user-message": { always: { text: isText }, sometimes: { files: areFiles } },
  "assistant-message": {
    ...answer,
    sometimes: { ...answer.sometimes, summarized: isSummarized },
  },
  "other-agent-message": answer,
  reasoning: { always: { text: isText }, sometimes: { durationMs: isCount } },
  "tool-call": {
    always: { ...call, args: isJson },
    sometimes: {
      readOnly: isFlag,
      approvalStatus: isOneOf(APPROVAL_STATUSES),
      approvalDescription: isText,
    },
  },
  "tool-result": { always: { ...call, result: isJson }, sometimes: { output: isText } },
  "tool-error": { always: { ...call, error: isText }, sometimes: { isUserRejection: isFlag } },
  trigger: { always: { triggerName: isName }, sometimes: { payload: isJson } },
  "loop-triggered": {
    always: { triggeredBy: isName },
    sometimes: { parentGenerationId: isGeneration, instructions: isText },
  },
  "child-generation": {
    always: {
      item: isJson,
      index: isCount,
      total: isCount,
      durationMs: isCount,
      parentGenerationId: isGeneration,
      childGenerationId: isGeneration,
    },
    sometimes: { outcome: isName, result: isJson },
  },
  "user-abort": { always: { generationId: isGeneration }, sometimes: {} },
  "generation-failure": { always: { error: isText }, sometimes: {} },
};

const envelope: Fields = {
  always: {
    id: (value) => typeof value === "string" && parseEnvelopeId(value) !== undefined,
    run: isName,
    sequence: isCount,
    type: isOneOf(EVENT_TYPES),
    content: isPlainObject,
    createdAt: isInstant,
  },
  sometimes: { generationId: isGeneration, message: isName, erased: isTrue },
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
  const place = path === "" ? "/" : path;
  if (!isPlainObject(value)) return `${place} is not an object`;
  const wrong = findWrongField(fields, value);
  if (wrong === undefined) return undefined;
  // The name of an unknown field is a stranger's, and is not repeated.
  if (wrong.fault === "unknown") return `${place} has a field that it may not have`;
  const state = wrong.fault === "missing" ? "is missing" : "is not what it must be";
  return `${path}/${wrong.name} ${state}`;
}

function refuse(problem: string): { readonly kind: "refused"; readonly problem: string } {
  return { kind: "refused", problem };
}
