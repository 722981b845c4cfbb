/** What people say to the requests of a run, as the host would record it. */
import type { JsonObject, JsonValue, LoopEvent } from "@turnseal/protocol";
import type { EventDraft } from "../log/appender.ts";

/** Requests that nobody has decided. */
export function pendingIn(events: readonly LoopEvent[]): LoopEvent[] {
  const decided = new Set(events.map(({ content }) => content["approval"] ?? content["question"]));
  return events.filter(
    ({ type, sequence }) =>
      (type === "approval.requested" || type === "question.asked") && !decided.has(sequence),
  );
}

export interface Said {
  readonly content?: JsonObject;
  readonly attached?: Readonly<Record<string, JsonValue>>;
}

/** A decision, by default an approval of somebody who may. */
export function decide(asked: LoopEvent, { content = {}, attached = {} }: Said = {}): EventDraft {
  const approval = { key: asked.content["key"] ?? "", approval: asked.sequence, hash: asked.hash };
  const words = { choice: "approve", roles: ["finance"], receivedAt: asked.at };
  return say("approval.decided", asked, {
    content: { ...approval, ...words, ...content },
    attached,
  });
}

export function answer(asked: LoopEvent, { content = {}, attached = {} }: Said): EventDraft {
  const question = { key: asked.content["key"] ?? "", question: asked.sequence, hash: asked.hash };
  const words = { roles: ["finance"], receivedAt: asked.at };
  return say("question.answered", asked, {
    content: { ...question, ...words, ...content },
    attached,
  });
}

function say(type: string, asked: LoopEvent, said: Required<Said>): EventDraft {
  const { turn, call, parentCall } = asked;
  return {
    type,
    actor: { kind: "person", id: "ada" },
    ...(turn === undefined ? {} : { turn }),
    ...(call === undefined ? {} : { call }),
    ...(parentCall === undefined ? {} : { parentCall }),
    ...said,
  };
}
