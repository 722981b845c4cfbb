import { expect, test } from "vitest";
import { readsSignal } from "./reads-signal.ts";

test.each([
  [{ text: "$.signals.message.text" }],
  [{ text: "$['signals']['message']" }],
  [{ all: "$.signals" }],
  [{ order: "$.input.order", text: "$.signals.message" }],
])("is read: %j", (mapping) => {
  expect(readsSignal(mapping, "message")).toBe(true);
});

test.each([
  [undefined],
  [{}],
  [{ text: "$.input.message" }],
  [{ text: "$.signals.messages.text" }],
  [{ text: "literal:$.signals.message" }],
  [{ text: { const: "$.signals.message" } }],
  [{ text: "$..signals.message" }],
])("is not read: %j", (mapping) => {
  expect(readsSignal(mapping, "message")).toBe(false);
});
