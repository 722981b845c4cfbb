/**
 * From anything to an event of ours, or a refusal that names the wrong field.
 *
 * It looks at one event: every field of it, however deep, and who caused it. Whether the event may
 * stand where it stands is for `acceptEvents`.
 */
import { isPlainObject } from "../canonical-json.ts";
import { type Fields, findWrongField, type Is, isCount, isHash, isText } from "../shape.ts";
import { CONTENT_FIELDS } from "./content-fields.ts";
import { isActor } from "./documents.ts";
import type { LoopEvent } from "./event.ts";
import { EVENT_ACTORS } from "./event-actors.ts";
import { isLogEventType, isVendorEventType, type LogEventType } from "./event-types.ts";
import { isRef, isTime } from "./fields.ts";

export type ParsedEvent =
  | { readonly kind: "event"; readonly event: LoopEvent }
  /** `where` is the first field that is not as it must be, such as `content.reserve`. */
  | { readonly kind: "refused"; readonly where: string };

export function parseEvent(value: unknown): ParsedEvent {
  if (!isPlainObject(value)) return refused("event");
  const { type, content, actor } = value;
  if (!isText(type)) return refused("type");
  const wrong = findWrongField(fieldsOf(type), value);
  if (wrong !== undefined) return refused(wrong.name);
  const fault = isPlainObject(content) ? findFault(type, content, actor) : "content";
  // Every field was checked, and there is no other.
  return fault === undefined
    ? { kind: "event", event: value as unknown as LoopEvent }
    : refused(fault);
}

function refused(where: string): ParsedEvent {
  return { kind: "refused", where };
}

const isType: Is<string> = (value): value is string =>
  typeof value === "string" && (isLogEventType(value) || isVendorEventType(value));
/** The first event has none before it. */
const isPrevious: Is<string> = (value): value is string => value === "" || isHash(value);

const envelope = {
  id: isText,
  run: isText,
  sequence: isCount,
  epoch: isCount,
  type: isType,
  at: isTime,
  actor: isActor,
  content: isPlainObject,
  previous: isPrevious,
  hash: isHash,
};

const ofRun: Fields = { always: envelope, sometimes: { turn: isCount } };
const ofTurn: Fields = { always: { ...envelope, turn: isCount }, sometimes: {} };
const ofCall: Fields = {
  always: { ...envelope, turn: isCount, call: isText },
  sometimes: { parentCall: isText },
};

/** The envelope of a type: what is of a turn has one, and what is of a call has that, too. */
function fieldsOf(type: string): Fields {
  const [family = ""] = type.split(".");
  if (["run", "signal", "drift", "artifact"].includes(family)) return ofRun;
  return family === "turn" ? ofTurn : ofCall;
}

type Content = Readonly<Record<string, unknown>>;

function findFault(type: string, content: Content, actor: unknown): string | undefined {
  // The payload of a vendor's event stands there by reference, each field under its own name.
  if (!isLogEventType(type)) {
    const field = Object.keys(content).find((name) => !isRef(content[name]));
    return field === undefined ? findActorFault([["kernel"]], 0, actor) : `content.${field}`;
  }
  const forms: readonly Fields[] = CONTENT_FIELDS[type];
  const index = forms.length === 1 ? 0 : forms.findIndex((form) => isOfForm(form, content));
  const form = forms[index];
  if (form === undefined) return `content.${tagOf(forms)}`;
  const wrong = findWrongField(form, content);
  return wrong === undefined
    ? findActorFault(actorsOf(type), index, actor)
    : `content.${wrong.name}`;
}

type Actors = readonly (readonly string[])[];

function actorsOf(type: LogEventType): Actors {
  return EVENT_ACTORS[type] ?? [];
}

function findActorFault(actors: Actors, index: number, actor: unknown): "actor" | undefined {
  const kinds = actors[index] ?? ["kernel"];
  return isActor(actor) && kinds.includes(actor.kind) ? undefined : "actor";
}

/** The forms of a content differ by what is done, or by the kind of message. */
function tagOf([form]: readonly Fields[]): "action" | "kind" {
  return form !== undefined && Object.hasOwn(form.always, "kind") ? "kind" : "action";
}

function isOfForm(form: Fields, content: Content): boolean {
  const tag = tagOf([form]);
  return form.always[tag]?.(content[tag]) === true;
}
