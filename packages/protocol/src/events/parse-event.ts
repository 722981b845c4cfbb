/**
 * From anything to an event of ours, or a refusal that says which field is wrong.
 *
 * It looks at one event: whether it is where it says it is, and whether anybody may have caused it,
 * is for a verifier, which keeps its own walk over raw events.
 */
import { ACTOR_KINDS } from "../actor.ts";
import { isPlainObject } from "../canonical-json.ts";
import {
  type Fields,
  findWrongField,
  hasFields,
  type Is,
  isCount,
  isHash,
  isOneOf,
  isText,
} from "../shape.ts";
import { CONTENT_FIELDS } from "./content-fields.ts";
import type { LoopEvent } from "./event.ts";
import { isVendorEventType } from "./event-types.ts";
import { isTime } from "./fields.ts";

export type ParsedEvent =
  | { readonly kind: "event"; readonly event: LoopEvent }
  /** `where` is the first field that is not as it must be, such as `content.reserve`. */
  | { readonly kind: "refused"; readonly where: string };

export function parseEvent(value: unknown): ParsedEvent {
  if (!isPlainObject(value)) return refused("event");
  const { type } = value;
  if (typeof type !== "string") return refused("type");
  const wrong = findWrongField(fieldsOf(type), value);
  if (wrong !== undefined) return refused(wrong.name);
  const field = findWrongContent(type, value["content"]);
  if (field !== undefined) return refused(`content.${field}`);
  // Every field was looked at, and there is no other.
  return { kind: "event", event: value as unknown as LoopEvent };
}

function refused(where: string): ParsedEvent {
  return { kind: "refused", where };
}

const isActor = hasFields({ kind: isOneOf(ACTOR_KINDS), id: isText });
const isType: Is<string> = (value): value is string =>
  typeof value === "string" && (Object.hasOwn(CONTENT_FIELDS, value) || isVendorEventType(value));
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
  const [family] = type.split(".");
  if (["run", "signal", "drift", "artifact"].includes(family ?? "")) return ofRun;
  return family === "turn" ? ofTurn : ofCall;
}

function findWrongContent(type: string, content: unknown): string | undefined {
  // What a tool records under a name of its own is its own.
  if (!isPlainObject(content) || !Object.hasOwn(CONTENT_FIELDS, type)) return undefined;
  const forms = CONTENT_FIELDS[type as keyof typeof CONTENT_FIELDS] as readonly Fields[];
  const form = forms.length === 1 ? forms[0] : forms.find((each) => isOfForm(each, content));
  return form === undefined ? tagOf(forms) : findWrongField(form, content)?.name;
}

/** The forms of a content differ by what is done, or by the kind of what is told. */
function tagOf([form]: readonly Fields[]): "action" | "kind" {
  return form !== undefined && Object.hasOwn(form.always, "kind") ? "kind" : "action";
}

function isOfForm(form: Fields, content: Readonly<Record<string, unknown>>): boolean {
  const tag = tagOf([form]);
  return form.always[tag]?.(content[tag]) === true;
}
