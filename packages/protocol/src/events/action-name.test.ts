import { expect, test } from "vitest";
import { nameAction } from "./action-name.ts";
import { sampleClaims } from "./sample-claims.test.data.ts";

test.each([
  [sampleClaims.model, "openai/small"],
  [sampleClaims.tool, "local.pay"],
  [sampleClaims.handoff, "triage"],
])("%j is called %s", (content, name) => {
  expect(nameAction(content)).toBe(name);
});
