import type { ApprovalChoice, EventOf } from "@turnseal/protocol";

/** What asks somebody. */
export type AskingEvent = EventOf<"approval.requested" | "question.asked">;

/** What somebody said to a request. */
export type WordEvent = EventOf<"approval.decided" | "question.answered">;

/** A question is answered, and not chosen. */
export function choiceOf(word: WordEvent): ApprovalChoice | undefined {
  return word.type === "approval.decided" ? word.content.choice : undefined;
}

/** The request that a claim names; a model claim has none. */
export function approvalOf({ content }: EventOf<"action.claimed">): number | undefined {
  return content.action === "model" ? undefined : content.approval;
}
