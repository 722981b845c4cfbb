/** What people were asked, from the event that asks to the one that decides. */
import { HANDOFF_TOOL } from "@turnseal/kernel";
import {
  type BlobRef,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
  readTexts,
} from "@turnseal/protocol";
import type { OpenRequest } from "./run-projection.ts";

export function openRequest(event: LoopEvent): OpenRequest {
  const { id, sequence, hash, at, call = "", parentCall = null, content, type } = event;
  const isQuestion = type === "question.asked";
  return {
    kind: isQuestion ? "question" : "approval",
    id,
    sequence,
    hash,
    key: String(content["key"]),
    call,
    parentCall,
    askedAt: at,
    loop: String(content["loop"]),
    version: String(content["version"]),
    // What is no tool of its own is a handoff.
    name: String(isQuestion ? content["to"] : (content["tool"] ?? HANDOFF_TOOL)),
    request: (content["request"] ?? null) as BlobRef | null,
    role: readText(content["role"]),
    approvers: Number(content["approvers"] ?? 1),
    approvedBy: [],
    excluded: readTexts(content["excluded"]),
    decideBy: readText(content["decideBy"]),
    facts: pickFacts(content),
  };
}

/** The requests that are still open after somebody decided, or time did. */
export function decideRequest(
  asked: readonly OpenRequest[],
  { type, content, actor }: LoopEvent,
): OpenRequest[] {
  const about = content["approval"] ?? content["question"];
  return asked.flatMap((request) => {
    if (request.sequence !== about) return [request];
    if (type !== "approval.decided" || content["choice"] !== "approve") return [];
    const approvedBy = [...request.approvedBy, actor.id];
    return approvedBy.length >= request.approvers ? [] : [{ ...request, approvedBy }];
  });
}

const factNames = [
  "rule",
  "policy",
  "effect",
  "reserve",
  "useWithinMs",
  "onReject",
  "build",
  "undo",
  "gate",
  "exclude",
  "description",
];

function pickFacts(content: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(content).filter(([name]) => factNames.includes(name)));
}

function readText(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
