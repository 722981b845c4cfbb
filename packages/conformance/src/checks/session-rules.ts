/** Properties that every session must have (spec/conformance.md, "Session rules"). */
import type { JsonObject } from "@turnseal/protocol";
import { parseEnvelope, parseEnvelopeId } from "@turnseal/protocol/events";
import type { SessionRuleName } from "../vectors/session-rule-names.ts";

type SessionRule = (envelopes: readonly JsonObject[]) => string[];

export const sessionRules: Readonly<Record<SessionRuleName, SessionRule>> = {
  "well-formed": checkShapes,
  "in-order": checkOrder,
  paired: checkPairs,
};

function checkShapes(envelopes: readonly JsonObject[]): string[] {
  return envelopes.flatMap((envelope, index) => {
    const parsed = parseEnvelope(envelope);
    return parsed.kind === "parsed" ? [] : [`envelope ${index}: ${parsed.problem}`];
  });
}

function checkOrder(envelopes: readonly JsonObject[]): string[] {
  const problems: string[] = [];
  let last = { run: "", sequence: 0, index: -1 };
  let lastAt = "";
  for (const [at, { id, createdAt }] of envelopes.entries()) {
    const place = parseEnvelopeId(String(id));
    const isLater =
      place !== undefined &&
      (last.run === "" || place.run === last.run) &&
      (place.sequence > last.sequence ||
        (place.sequence === last.sequence && place.index === last.index + 1));
    const isInTime = String(createdAt) >= lastAt;
    if (!isLater || !isInTime) problems.push(`envelope ${at} does not follow the one before it`);
    if (place !== undefined) last = place;
    lastAt = String(createdAt);
  }
  return problems;
}

/**
 * Each tool call ends once, after it was shown; one may stay open that waits for a person, or whose
 * generation was stopped.
 */
function checkPairs(envelopes: readonly JsonObject[]): string[] {
  const problems: string[] = [];
  const shown = new Map<string, JsonObject>();
  const ended = new Set<string>();
  const stopped = new Set<unknown>();
  for (const { type, content, generationId } of envelopes) {
    const said = content as JsonObject;
    const id = String(said["toolCallId"]);
    if (type === "user-abort") stopped.add(said["generationId"]);
    if (type === "tool-call" && ended.has(id)) problems.push(`${id} is shown after its end`);
    if (type === "tool-call") shown.set(id, { ...said, generationId: generationId ?? null });
    if (type !== "tool-result" && type !== "tool-error") continue;
    if (shown.get(id)?.["toolName"] !== said["toolName"] || ended.has(id))
      problems.push(`${id} ends without having begun, or a second time`);
    ended.add(id);
  }
  for (const [id, call] of shown) {
    const mayBeOpen =
      call["approvalStatus"] === "pending_approval" || stopped.has(call["generationId"]);
    if (!ended.has(id) && !mayBeOpen) problems.push(`${id} does not end`);
  }
  return problems;
}
