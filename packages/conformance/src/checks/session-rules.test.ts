import type { JsonObject } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { sessionRules } from "./session-rules.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const createdAt = "2026-01-01T00:00:00.000Z";

function envelope(sequence: number, type: string, content: JsonObject): JsonObject {
  const place = { id: `${run}/${sequence}.0`, run, sequence };
  return { ...place, type, content, createdAt, generationId: `${run}/1` };
}

const tool = { toolCallId: "a", toolName: "look" };
const call = (sequence: number, more: JsonObject = {}): JsonObject =>
  envelope(sequence, "tool-call", { ...tool, args: {}, ...more });
const result = (sequence: number, more: JsonObject = {}): JsonObject =>
  envelope(sequence, "tool-result", { ...tool, result: 1, ...more });
const said = (sequence: number): JsonObject =>
  envelope(sequence, "user-message", { text: "Hello" });

test("a session that is as it should be breaks no rule", () => {
  const session = [said(1), call(2, { readOnly: true }), call(3), result(4), said(5)];
  for (const rule of Object.values(sessionRules)) expect(rule(session)).toEqual([]);
});

test("an envelope with a field too many is not well formed", () => {
  const more = { ...said(1), note: "more" };
  expect(sessionRules["well-formed"]([more])).toHaveLength(1);
});

describe("not in order is", () => {
  test.each([
    ["a place twice", [said(2), said(2)]],
    ["a place that goes back", [said(2), said(1)]],
    ["a second envelope without a first", [said(1), { ...said(2), id: `${run}/1.2` }]],
    ["a time that goes back", [said(1), { ...said(2), createdAt: "2025-01-01T00:00:00.000Z" }]],
    ["what has no place", [{ ...said(1), id: "first" }]],
  ])("%s", (_, session) => {
    expect(sessionRules["in-order"](session)).toHaveLength(1);
  });
});

describe("not paired is", () => {
  test.each([
    ["a call without an end", [call(1)]],
    ["an end without a call", [result(1)]],
    ["two ends", [call(1), result(2), result(3)]],
    ["an end of another tool", [call(1), result(2, { toolName: "other" })]],
    ["a call after its end", [call(1), result(2), call(3)]],
  ])("%s", (_, session) => {
    expect(sessionRules.paired(session)).toHaveLength(1);
  });

  test("neither a call that waits for a person, nor one that a person stopped", () => {
    expect(sessionRules.paired([call(1, { approvalStatus: "pending_approval" })])).toEqual([]);
    const abort = envelope(2, "user-abort", { generationId: `${run}/1` });
    expect(sessionRules.paired([call(1), abort])).toEqual([]);
    expect(sessionRules.paired([call(1, { approvalStatus: "approved" })])).toHaveLength(1);
  });
});
