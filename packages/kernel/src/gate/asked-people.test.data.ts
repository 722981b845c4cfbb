/** People's answers to the requests of a run, as the host would record them. */
import type { ContentOf, DraftOf, EventOf, JsonValue, LoopEvent } from "@turnseal/protocol";

type AskingEvent = EventOf<"approval.requested" | "question.asked">;

/** Requests that nobody has decided. */
export function pendingIn(events: readonly LoopEvent[]): AskingEvent[] {
  const decided = new Set(
    events.flatMap(({ type, content }) => {
      if (type === "approval.decided") return [content.approval];
      if (type === "question.answered") return [content.question];
      if (type === "approval.expired") return [content.approval ?? content.question];
      return type === "action.claimed" && content.action !== "model" ? [content.approval] : [];
    }),
  );
  return events
    .filter((event) => event.type === "approval.requested" || event.type === "question.asked")
    .filter(({ sequence }) => !decided.has(sequence));
}

export interface Decided {
  readonly content?: Partial<ContentOf<"approval.decided">>;
  readonly attached?: { readonly reason?: JsonValue; readonly arguments?: JsonValue };
}

/** A decision, by default an approval by somebody with the right to. */
export function decide(
  asked: LoopEvent | undefined,
  { content = {}, attached = {} }: Decided = {},
): DraftOf<"approval.decided"> {
  const { key, ...about } = aboutOf(asked);
  const words = { choice: "approve", roles: ["finance"], receivedAt: about.at } as const;
  return {
    ...about.place,
    type: "approval.decided",
    actor: { kind: "person", id: "ada" },
    content: { key, approval: about.sequence, hash: about.hash, ...words, ...content },
    attached,
  };
}

export interface Answered {
  readonly content?: Partial<ContentOf<"question.answered">>;
  readonly attached?: { readonly answer?: JsonValue };
}

export function answer(
  asked: LoopEvent | undefined,
  { content = {}, attached = {} }: Answered,
): DraftOf<"question.answered"> {
  const { key, ...about } = aboutOf(asked);
  const words = { roles: ["finance"], receivedAt: about.at };
  return {
    ...about.place,
    type: "question.answered",
    actor: { kind: "person", id: "ada" },
    content: { key, question: about.sequence, hash: about.hash, ...words, ...content },
    attached,
  };
}

function aboutOf(asked: LoopEvent | undefined) {
  if (asked?.type !== "approval.requested" && asked?.type !== "question.asked")
    throw new Error("nobody was asked");
  const { turn, call, parentCall, sequence, hash, at, content } = asked;
  const place = { turn, call, ...(parentCall === undefined ? {} : { parentCall }) };
  return { key: content.key, sequence, hash, at, place };
}
