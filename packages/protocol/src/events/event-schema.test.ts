/**
 * The published schema of events and the checks of this package are the same: the types, their
 * forms, their fields, and the values of each field.
 */
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import * as approval from "../approval/approval.ts";
import * as callError from "../call-error.ts";
import * as outcomes from "../outcomes.ts";
import * as policy from "../policy/policy.ts";
import * as resolutions from "../resolutions.ts";
import type { Is } from "../shape.ts";
import * as claim from "./action-claim.ts";
import * as end from "./action-end.ts";
import * as call from "./call.ts";
import { CONTENT_FIELDS } from "./content-fields.ts";
import { EVENT_ACTORS } from "./event-actors.ts";
import { LOG_EVENT_TYPES, type LogEventType } from "./event-types.ts";
import * as log from "./log.ts";
import { parseEvent } from "./parse-event.ts";
import * as people from "./people.ts";
import * as run from "./run.ts";
import * as turn from "./turn.ts";

const spec = new URL("../../../../spec/", import.meta.url);

function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(new URL(path, spec), "utf8")) as Value;
}

interface ContentSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

interface FormSchema {
  readonly properties: { readonly content?: ContentSchema };
  readonly oneOf?: readonly FormSchema[];
}

const schema = readJson<{
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly $defs: Readonly<Record<string, FormSchema>>;
}>("schemas/event.schema.json");
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
ajv.addSchema(readJson<object>("schemas/receipt.schema.json"));
ajv.addSchema(schema);
const isPublished = (value: unknown): boolean => ajv.validate("urn:turnseal:spec:0.1:event", value);

type AnyFields = Readonly<Record<"always" | "sometimes", Readonly<Record<string, Is<unknown>>>>>;

interface Form {
  readonly type: LogEventType;
  readonly fields: AnyFields;
  /** Where the schema of its content stands. */
  readonly place: string;
  readonly content: ContentSchema | undefined;
}

/** The forms of the code, each with what the schema has in its place. */
const forms: readonly Form[] = LOG_EVENT_TYPES.flatMap((type) => {
  const definition = schema.$defs[type];
  return (CONTENT_FIELDS[type] as readonly AnyFields[]).map((fields, index) => {
    const form = definition?.oneOf?.[index] ?? definition;
    const step = definition?.oneOf === undefined ? "" : `/oneOf/${index}`;
    const place = `#/$defs/${type}${step}/properties/content`;
    return { type, fields, place, content: form?.properties.content };
  });
});

test("the schema has every type, in the order of the list, and a vendor's", () => {
  const types = schema.oneOf.map(({ $ref }) => $ref.replace("#/$defs/", ""));
  expect(types).toEqual([...LOG_EVENT_TYPES, "vendor"]);
});

test.each(LOG_EVENT_TYPES)("%s has as many forms", (type) => {
  expect(schema.$defs[type]?.oneOf?.length ?? 1).toBe(CONTENT_FIELDS[type].length);
});

test.each(forms)("$place has the fields that are checked", ({ fields, content }) => {
  const names = Object.keys(content?.properties ?? {});
  const required = content?.required ?? [];
  expect([...required].sort()).toEqual(Object.keys(fields.always).sort());
  expect(names.filter((name) => !required.includes(name)).sort()).toEqual(
    Object.keys(fields.sometimes).sort(),
  );
});

interface AnyForm extends FormSchema {
  readonly properties: FormSchema["properties"] & {
    readonly actor?: {
      readonly properties: { readonly kind: { readonly enum: readonly string[] } };
    };
  };
}

test.each(LOG_EVENT_TYPES)("%s is caused by those that the schema names", (type) => {
  const definition = schema.$defs[type] as AnyForm;
  const forms = (definition.oneOf ?? [definition]) as readonly AnyForm[];
  const named = forms.map(({ properties: { actor } }) => actor?.properties.kind.enum);
  expect(named).toEqual(EVENT_ACTORS[type] ?? forms.map(() => ["kernel"]));
});

const hex = "0".repeat(64);
const reference = { digest: `hmac-sha256:${hex}`, size: 1, mediaType: "text/plain" };
/** Where the closed lists are that fields are checked by. */
const lists = [
  ...[approval, callError, outcomes, policy, resolutions],
  ...[claim, end, call, run, turn, people, log],
];
const words = new Set([
  ...lists.flatMap((module) => Object.values(module).filter(isList)).flat(),
  ...Array.from(JSON.stringify(schema).matchAll(/"([A-Za-z_-]+)"/g), ([, word = ""]) => word),
]);

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}

const values: readonly unknown[] = [
  ...["", "a text", hex, `sha256:${hex}`, `hmac-sha256:${hex}`, "2026-01-31T12:00:00.000Z"],
  ...[...[-1, 0, 1, 1.5, 2 ** 53], true, false, null, {}, { hour: "2026-01-31T12" }, { turns: 1 }],
  ...[[], [""], [1], [{}], reference, [reference], { ...reference, size: -1 }],
  ...[...words].flatMap((word) => [word, [word]]),
];

test.each(forms)("$place takes what is taken", ({ fields, place }) => {
  for (const [name, check] of Object.entries({ ...fields.always, ...fields.sometimes })) {
    const $ref = `urn:turnseal:spec:0.1:event${place}/properties/${name}`;
    const validate = ajv.compile({ $ref });
    const taken = values.filter((value) => validate(value));
    expect(
      taken.filter((value) => !check(value)),
      name,
    ).toEqual([]);
    const left = values.filter((value) => check(value) && !validate(value));
    expect(left, name).toEqual([]);
    expect(
      values.some((value) => !validate(value)),
      name,
    ).toBe(true);
  }
});

interface AnyEvent {
  readonly type: string;
  readonly actor: { readonly kind: string };
  readonly content: Readonly<Record<string, unknown>>;
}

function isAnyEvent(value: object): value is AnyEvent {
  return ["type", "content", "sequence", "hash"].every((name) => Object.hasOwn(value, name));
}

/** Every event that stands in a value, however deep. */
function collectEvents(value: unknown): AnyEvent[] {
  if (typeof value !== "object" || value === null) return [];
  return isAnyEvent(value) ? [value] : Object.values(value).flatMap(collectEvents);
}

function listVectors(folder: string): string[] {
  const files = readdirSync(new URL(`vectors/${folder}/`, spec));
  return files.map((file) => `vectors/${folder}/${file}`);
}

function isParsed(value: unknown): boolean {
  return parseEvent(value).kind === "event";
}

function omit(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([field]) => field !== name));
}

describe("events of vectors", () => {
  const folders = ["receipt", "receipt-set", "receipt-conduct", "log"];
  const events = folders
    .flatMap((folder) => listVectors(folder))
    .flatMap((file) => collectEvents(readJson<unknown>(file)));
  const honest = events.filter((event) => isParsed(event) && isPublished(event));

  test("are events to both, or to none, but for what only one of them looks at", () => {
    const judged = events
      .filter((event) => isParsed(event) !== isPublished(event))
      .map((event) => `${event.type} by ${event.actor.kind}: ${isParsed(event)}`);
    // No calendar has such a day.
    expect([...new Set(judged)].sort()).toEqual([
      "approval.decided by person: false",
      "turn.closed by kernel: false",
    ]);
    expect(honest.length).toBeGreaterThan(3_900);
  });

  test("are none to both with any part of them gone, of another type, or added", () => {
    const seen = new Map(honest.map((event) => [describeFields(event), event]));
    let varied = 0;
    for (const event of seen.values())
      for (const other of vary(event)) {
        varied += 1;
        expect(isPublished(other), JSON.stringify(other)).toBe(isParsed(other));
      }
    expect(varied).toBeGreaterThan(20_000);
  });
});

/**
 * The value with one thing changed somewhere inside: a field gone, of another type, or one more.
 */
function* vary(value: unknown): Iterable<unknown> {
  yield* [1, "x", null, true, [], {}];
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const other of vary(item)) yield value.with(index, other);
    return;
  }
  yield { ...value, more: 1 };
  for (const [name, field] of Object.entries(value)) {
    yield omit(value, name);
    for (const other of vary(field)) yield { ...value, [name]: other };
  }
}

function describeFields(event: AnyEvent): string {
  return [event.type, ...Object.keys(event), ...Object.keys(event.content)].join(" ");
}

test("an event of a vendor says what it likes, and has a name of its own", () => {
  const [event] = collectEvents(readJson<unknown>("vectors/receipt/valid-runs.json")).filter(
    ({ type }) => type === "log" || type === "call.started",
  );
  const named = (type: string) => ({ ...event, type, content: { acme: reference } });
  expect(isPublished(named("acme.cache.hit"))).toBe(true);
  const unnamed = { ...named("acme.cache.hit"), content: { acme: { any: [1] } } };
  expect([isPublished(unnamed), isParsed(unnamed)]).toEqual([false, false]);
  for (const type of ["acme", "call.cache", "plan.made", "Acme.hit", `acme.${"a".repeat(100)}`])
    expect(isPublished(named(type)), type).toBe(false);
});
