import { expect, test } from "vitest";
import { describeShape } from "./event-shape.ts";

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
  expect(shape("approval.requested", { action: "handoff" }).kind).toBe(
    "approval.requested, handoff",
  );
  expect(shape("signal.received", { kind: "cancel" }).kind).toBe("signal.received, cancel");
  expect(shape("action.unknown", { action: "tool" }).kind).toBe("action.unknown");
});
