import { expect, test } from "vitest";
import { nameAction, nameTool } from "./action-name.ts";
import { sampleClaims } from "./sample-claims.test.data.ts";

test.each([
  [sampleClaims.model, "openai/small"],
  [sampleClaims.tool, "local.pay"],
  [sampleClaims.handoff, "triage"],
])("%j is called %s", (content, name) => {
  expect(nameAction(content)).toBe(name);
});

const { action, tool, build, term } = sampleClaims.tool;
const { target, slice, proof, bounds } = sampleClaims.handoff;
const { key, digest, effect, reserve, deadlineAt, request } = sampleClaims.tool;
const asked = {
  ...{ key, digest, effect, reserve, request, loop: "pay", version: "1.0.0", grant: slice },
  ...({ approvers: 1, onReject: "tell", decideBy: deadlineAt, useWithinMs: 1 } as const),
};

test("people are asked for a tool by its name, and for a handoff by that of all handoffs", () => {
  expect(nameTool({ ...asked, action, tool, build, term })).toBe("local.pay");
  const handoff = { ...asked, action: "handoff", target, slice, proof, bounds } as const;
  expect(nameTool(handoff)).toBe("turnseal.handoff");
  expect(nameAction(handoff)).toBe("triage");
});
