import { expect, test } from "vitest";
import { nameAction } from "./action-name.ts";

test.each([
  [{ action: "model", backend: "openai", model: "small" }, "openai/small"],
  [{ action: "model", backend: "openai" }, "openai"],
  [{ action: "tool", tool: "local.pay", backend: "openai" }, "local.pay"],
  [{ action: "handoff", target: "triage", targetVersion: "1.0.0" }, "triage"],
  [{ action: "handoff" }, "an action"],
])("%j is called %s", (content, name) => {
  expect(nameAction(content)).toBe(name);
});
