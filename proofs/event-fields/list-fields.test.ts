import { expect, test } from "vitest";
import { describeShape } from "./event-shape.ts";
import { listFields } from "./list-fields.ts";

test("a row has a kind, actors and two lists of fields", () => {
  const text =
    "| type | a | b | c |\n|---|---|---|---|\n| `log`, x | kernel, host | `a`, `b` | |\n";
  expect([...listFields(text)]).toEqual([
    ["log, x", { actors: ["kernel", "host"], always: ["a", "b"], sometimes: [] }],
  ]);
  expect(listFields("nothing").size).toBe(0);
});

test("the shape of an event names its action or its kind, and no value", () => {
  const actor = { kind: "kernel" };
  const shape = (type: string, content: Record<string, unknown>) =>
    describeShape({ type, actor, content });
  const claim = shape("action.claimed", { tool: "local.pay", action: "tool" });
  expect(claim).toEqual({
    kind: "action.claimed, tool",
    actor: "kernel",
    fields: ["action", "tool"],
  });
  expect(shape("signal.received", { kind: "cancel" }).kind).toBe("signal.received, cancel");
  expect(shape("action.unknown", { action: "tool" }).kind).toBe("action.unknown");
});
