/** The printed parts of spec/events.md: what stands in its schemas, as tables. */
import { alternatives, code, codes, renderTable } from "../render-table.ts";
import { marksOf, replaceBetween } from "../replace-between.ts";
import type { Tree } from "../tidy/tree.ts";
import { type CallEventSchema, listPlainForms } from "./call-event-schema.ts";
import {
  type EventField,
  type EventForm,
  type EventSchema,
  type FieldSchema,
  listForms,
  nameOf,
} from "./event-schema.ts";

export function renderEvents(document: string, tree: Tree): string {
  const events: EventSchema = readSchema(tree, "event");
  const calls: CallEventSchema = readSchema(tree, "call-event");
  const withCalls = replaceBetween(document, marksOf("calls"), renderCalls(calls));
  return replaceBetween(withCalls, marksOf("fields"), renderFields(events));
}

function readSchema<Schema>(tree: Tree, name: string): Schema {
  return JSON.parse(tree.get(`spec/schemas/${name}.schema.json`) ?? "{}") as Schema;
}

/** What a call says outside a run. */
function renderCalls(schema: CallEventSchema): string {
  return renderTable(
    ["type", "`content`", "`attached`"],
    listPlainForms(schema).map(({ type, title, always, sometimes, attached }) => [
      title === undefined ? code(type) : `${code(type)}, ${title}`,
      [
        codes(always),
        ...(sometimes.length === 0 ? [] : [`where it applies ${codes(sometimes)}`]),
      ].join("; "),
      codes(attached),
    ]),
  );
}

/** Renders the kinds of fields, and then each type with its fields. */
export function renderFields(schema: EventSchema): string {
  const types = Map.groupBy(listForms(schema), ({ type }) => type);
  return [
    renderKinds(schema),
    ...[...types].flatMap(([type, forms]) => renderType(type, forms, schema)),
  ].join("\n\n");
}

function renderKinds({ $defs }: EventSchema): string {
  const kinds = Object.values($defs).filter(({ title }) => title !== undefined);
  return renderTable(
    ["a field that is a", "holds"],
    kinds.map(({ title = "", description = "" }) => [title, description]),
  );
}

function renderType(type: string, forms: readonly EventForm[], schema: EventSchema): string[] {
  const heading = `### ${code(type)}`;
  const isAlone = forms.every(({ title }) => title === undefined);
  return [
    heading,
    ...(isAlone ? [] : [schema.$defs[type]?.description ?? ""]),
    ...forms.flatMap(({ title, description, actors, fields }) => [
      `${isAlone ? "" : `**${title}.** `}${description} Actor: ${alternatives(actors)}.`,
      renderTable(
        ["field", "there", "is", "meaning"],
        fields.map((field) => renderField(field, schema)),
      ),
    ]),
  ];
}

function renderField({ name, isAlways, schema: field }: EventField, schema: EventSchema): string[] {
  const there = isAlways ? "always" : "sometimes";
  return [code(name), there, nameKind(field, schema), field.description ?? ""];
}

/** Names the kind of a field as in the table of kinds, or lists its words. */
function nameKind(field: FieldSchema, schema: EventSchema): string {
  const { $ref, title, enum: words, const: word, anyOf, items, type } = field;
  if (title !== undefined) return title;
  if ($ref !== undefined) return nameKind(schema.$defs[nameOf($ref)] ?? {}, schema);
  if (words !== undefined) return alternatives(words);
  if (word !== undefined) return code(String(word));
  if (anyOf !== undefined) return anyOf.map((one) => nameKind(one, schema)).join(", or ");
  if (items !== undefined) return `list of ${nameItems(items, schema)}`;
  return type ?? "";
}

function nameItems(items: FieldSchema, schema: EventSchema): string {
  const kind = nameKind(items, schema);
  return kind.startsWith("`") ? kind : `${kind}s`;
}
