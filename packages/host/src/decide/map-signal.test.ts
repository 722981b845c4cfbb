import type { JsonObject } from "@turnseal/protocol";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { mapSignal } from "./map-signal.ts";

const loopOf = (properties: JsonObject) =>
  definePrompt({
    id: "chat",
    input: jsonSchema<{ [name: string]: string }>({ type: "object", properties }),
    output: jsonSchema<unknown>(true),
    template: "Answer.",
  }).definition;

test("what a signal says becomes the text, and other fields stay", () => {
  const loop = loopOf({ text: {}, order: {}, "odd name": {} });
  expect(mapSignal(loop, "message")).toEqual({
    text: "$.signals.message.text",
    order: '$.input["order"]',
    "odd name": '$.input["odd name"]',
  });
});

test("an input without a text is told nothing", () => {
  expect(mapSignal(loopOf({ order: {} }), "message")).toBeUndefined();
  expect(mapSignal({ ...loopOf({}), inputSchema: true }, "message")).toBeUndefined();
});
