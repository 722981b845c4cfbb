import type { LoopEvent, RunSpec } from "@turnseal/protocol";

/** What became of a message to a run, as its log says. */
export type MessageState =
  /** The run does not accept it. */
  | { readonly kind: "refused"; readonly why: string }
  /** A later turn begins with it: each message of the queue has a turn of its own. */
  | { readonly kind: "queued" }
  /**
   * No turn begins with it. A wait of a flow may take it later; a prompt may show it as feedback.
   */
  | { readonly kind: "recorded" }
  /** This turn has it. */
  | { readonly kind: "taken"; readonly turn: number };

/**
 * Follows one message, named by the id that `signal` returned: a fold of the events of its run.
 * Returns the state after each event; undefined until the log names the message.
 *
 * The log decides which turn takes a message: retries of earlier turns may come first. Without the
 * specification, the fold must begin with the first event of the run.
 */
export function followMessage(
  message: string,
  spec?: Pick<RunSpec, "bounds">,
): (event: LoopEvent) => MessageState | undefined {
  let awaits = spec?.bounds.awaits;
  let received: number | undefined;
  let isNext = false;
  let state: MessageState | undefined;
  const take = (event: LoopEvent): MessageState | undefined => {
    if (state?.kind === "taken") return state;
    switch (event.type) {
      case "run.started":
        awaits = event.content.spec.bounds.awaits;
        return state;
      case "signal.received": {
        const { content } = event;
        if (content.key !== message) return state;
        if (content.kind === "refused") return { kind: "refused", why: content.why };
        if (content.kind !== "signal") return state;
        received = event.sequence;
        const beginsTurn = content.wait === undefined && awaits?.includes(content.name) === true;
        return { kind: beginsTurn ? "queued" : "recorded" };
      }
      case "question.answered": {
        const isAnswer = received !== undefined && event.content.signal === received;
        return isAnswer ? { kind: "taken", turn: event.turn } : state;
      }
      case "run.decided":
        if (event.content.signal === undefined) return state;
        isNext = event.content.signal.sequence === received;
        return state;
      case "turn.started":
      case "turn.denied":
        return isNext ? { kind: "taken", turn: event.turn } : state;
      default:
        return state;
    }
  };
  return (event) => {
    state = take(event);
    return state;
  };
}
