import { expect, test } from "vitest";
import { marksOf } from "../replace-between.ts";
import { renderEvents } from "./render-events.ts";

const actor = { properties: { kind: { enum: ["person", "host"] } } };
const field = { description: "who asks", $ref: "#/$defs/text" };
const events = {
  oneOf: [{ $ref: "#/$defs/tea.asked" }, { $ref: "#/$defs/tea.made" }, { $ref: "#/$defs/vendor" }],
  $defs: {
    "tea.asked": {
      description: "Somebody wants tea.",
      properties: { actor, content: { properties: { by: field }, required: ["by"] } },
    },
    "tea.made": {
      description: "Tea is made.",
      oneOf: [
        {
          title: "green",
          description: "Without milk.",
          properties: {
            actor: { properties: { kind: { enum: ["host"] } } },
            content: {
              properties: {
                kind: { const: "green", description: "which" },
                for: { type: "array", items: { $ref: "#/$defs/text" }, description: "whom" },
                after: { anyOf: [{ enum: ["one", "two"] }, { type: "null" }], description: "min" },
              },
              required: ["kind"],
            },
          },
        },
      ],
    },
    vendor: { properties: { actor } },
    text: { title: "text", description: "a string", type: "string" },
  },
};
const asked = { properties: { by: {}, at: {} }, required: ["by"] };
const calls = {
  oneOf: [
    { properties: { type: { const: "tea.asked" }, content: asked, attached: false } },
    {
      properties: {
        type: { const: "tea.made" },
        content: { oneOf: [{ title: "green", $ref: "", properties: {}, required: ["kind"] }] },
        attached: { properties: { words: {} } },
      },
    },
    { properties: { type: { pattern: "^acme" }, content: {} } },
  ],
  $defs: {},
};
const tree = new Map([
  ["spec/schemas/event.schema.json", JSON.stringify(events)],
  ["spec/schemas/call-event.schema.json", JSON.stringify(calls)],
]);
const marks = [marksOf("calls"), marksOf("fields")];
const document = marks.map(({ start, end }) => `before\n${start}\nstale\n${end}\nafter\n`).join("");

test("types, forms and fields are printed as the schemas have them", () => {
  const rendered = renderEvents(document, tree);
  expect(rendered.split("\n").filter((line) => line !== "" && !line.startsWith("| ---"))).toEqual([
    "before",
    "<!-- calls:start -->",
    "| type | `content` | `attached` |",
    "| `tea.asked` | `by`; where it applies `at` |  |",
    "| `tea.made`, green | `kind` | `words` |",
    "<!-- calls:end -->",
    "after",
    "before",
    "<!-- fields:start -->",
    "| a field that is a | holds |",
    "| text | a string |",
    "### `tea.asked`",
    "Somebody wants tea. Actor: `person` or `host`.",
    "| field | there | is | meaning |",
    "| `by` | always | text | who asks |",
    "### `tea.made`",
    "Tea is made.",
    "**green.** Without milk. Actor: `host`.",
    "| field | there | is | meaning |",
    "| `kind` | always | `green` | which |",
    "| `for` | sometimes | list of texts | whom |",
    "| `after` | sometimes | `one` or `two`, or null | min |",
    "<!-- fields:end -->",
    "after",
  ]);
  expect(renderEvents(rendered, tree)).toBe(rendered);
});

test("a document without the marks is refused", () => {
  expect(() => renderEvents("no marks", tree)).toThrow("needs the marks");
});
