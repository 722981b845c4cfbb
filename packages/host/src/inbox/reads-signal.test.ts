import { expect, test } from "vitest";
import { readsSignal } from "./reads-signal.ts";

test.each([
  [{ text: "$.signals.message.text" }],
  [{ text: "$['signals']['message']" }],
  [{ all: "$.signals" }],
  [{ order: "$.input.order", text: "$.signals.message" }],
  [{ text: { cel: "'You said: ' + signals.message.text" } }],
  [{ text: { cel: "has(signals.message) ? 'yes' : 'no'" } }],
  [{ text: { cel: "signals['message']" } }],
  [{ text: { cel: "signals[input.name]" } }],
  [{ text: { cel: "input.names.map(name, signals[name])" } }],
  [{ text: { cel: "[signals].map(all, all.other)" } }],
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
  [{ text: { cel: "signals.messages.text" } }],
  [{ text: { cel: "'signals.message'" } }],
  [{ text: { cel: "input.list.map(signal, signal.message)" } }],
  [{ text: { cel: "signals.message +" } }],
  // Asked before bounds are checked.
  [{ text: 5 as unknown as string, more: null as unknown as string }],
])("is not read: %j", (mapping) => {
  expect(readsSignal(mapping, "message")).toBe(false);
});
