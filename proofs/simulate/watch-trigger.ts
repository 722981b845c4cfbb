/** Whose signal set the present turn going, by what the simulation itself has sent. */
import type { LoopEvent } from "@turnseal/protocol";
import { answerEvents } from "./answer-events.ts";

export interface TriggerWatch {
  onEvent(event: LoopEvent): void;
  /** The person, or nobody. */
  person(): readonly string[];
}

interface TriggerOptions {
  readonly run: string;
  readonly notes: ReadonlyMap<string, string>;
}

const IGNORED = [
  ...["run.started", "run.blocked", "run.stopped", "turn.started", "turn.denied", "turn.resumed"],
  ...["turn.waiting", "turn.closed", "call.started", "call.input.validated"],
  ...["call.output.validated", "call.completed", "call.errored", "child.started"],
  ...["child.completed", "action.claimed", "action.settled", "action.unknown", "action.resolved"],
  ...["approval.requested", "approval.decided", "approval.expired", "question.asked"],
  ...["question.answered", "log"],
  ...["cache.hit", "note.added", "note.expired", "run.resolved"],
  ...["drift.reconciled", "artifact.adopted"],
  ...["fanout.fixed", "item.closed", "step.retried", "step.skipped", "group.closed"],
  ...["plan.proposed", "plan.decided", "plan.closed"],
] as const;

export function watchTrigger({ run, notes }: TriggerOptions): TriggerWatch {
  const senders = new Map<number, string | undefined>();
  let sender: string | undefined;
  return {
    person: () => (sender === undefined ? [] : [sender]),
    onEvent: answerEvents(IGNORED, {
      "signal.received": ({ sequence, content }) =>
        senders.set(sequence, notes.get(`${run} ${content.key}`)),
      "run.decided": ({ content: { signal } }) => {
        if (signal !== undefined) sender = senders.get(signal.sequence);
      },
    }),
  };
}
