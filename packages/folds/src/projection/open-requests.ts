/** The requests to people, from the event that asks to the one that decides. */
import {
  type EventOf,
  type JsonObject,
  missingApprovals,
  nameTool,
  toRaw,
} from "@turnseal/protocol";
import type { OpenRequest } from "./run-projection.ts";
import { readStandingRequest } from "./standing-approvals.ts";

type AskingEvent = EventOf<"approval.requested" | "question.asked">;

export function openRequest(event: AskingEvent): OpenRequest {
  const { id, sequence, hash, at, call, parentCall = null, content } = event;
  const { key, loop, version, request, role = null, decideBy = null } = content;
  const standing = event.type === "approval.requested" ? readStandingRequest(event) : undefined;
  return {
    ...{ id, sequence, hash, key, call, parentCall, askedAt: at, loop, version, request, role },
    ...{ decideBy, approvedBy: [], facts: pickFacts(event), ...whoDecides(event) },
    ...(standing === undefined ? {} : { standing }),
  };
}

function whoDecides(
  event: AskingEvent,
): Pick<OpenRequest, "kind" | "name" | "approvers" | "excluded"> {
  const { excluded = [] } = event.content;
  if (event.type === "question.asked")
    return { kind: "question", name: event.content.to, approvers: 1, excluded };
  const { approvers } = event.content;
  return { kind: "approval", name: nameTool(event.content), approvers, excluded };
}

type DecidingEvent = EventOf<"approval.decided" | "approval.expired" | "question.answered">;

/** The requests that are still open after somebody decided, or time did. */
export function decideRequest(asked: readonly OpenRequest[], event: DecidingEvent): OpenRequest[] {
  return asked.flatMap((request) => {
    if (request.sequence !== aboutOf(event)) return [request];
    if (event.type !== "approval.decided" || event.content.choice !== "approve") return [];
    const approvedBy = [...request.approvedBy, event.actor.id];
    return missingApprovals(request.approvers, approvedBy) === 0
      ? []
      : [{ ...request, approvedBy }];
  });
}

/** The number of the event that asked. */
function aboutOf(event: DecidingEvent): number | undefined {
  switch (event.type) {
    case "approval.decided":
      return event.content.approval;
    case "question.answered":
      return event.content.question;
    case "approval.expired":
      return event.content.approval ?? event.content.question;
  }
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
  "compensation",
  "irreversible",
  "takesBack",
  "gate",
  "exclude",
  "description",
  "claim",
];

/** For display: readers take it as it is. */
function pickFacts(event: AskingEvent): JsonObject {
  const facts = Object.entries(toRaw(event).content);
  return Object.fromEntries(facts.filter(([name]) => factNames.includes(name)));
}
