/** Who called whom, and in which order those act that a model asked for at once. */
import type { EventOf, LoopEvent } from "@turnseal/protocol";
import { answerEvents } from "./answer-events.ts";
import type { Promises } from "./fault.ts";
import { INDEPENDENT } from "./loops.ts";

/** A place in a flow: a step of a composite, or a tool of a prompt's round. */
export interface CallPlace {
  readonly loop: string;
  readonly step: number;
}

export interface CallWatch {
  onEvent(event: LoopEvent): void;
  /** Where a call stands, from the root call down to it. */
  placesOf(call: string): readonly CallPlace[];
}

interface Child {
  readonly parent: string;
  readonly loop: string;
  readonly step: number;
}

const IGNORED = [
  ...["run.started", "run.decided", "run.blocked", "run.stopped", "signal.received"],
  ...["turn.started", "turn.denied", "turn.resumed", "turn.waiting", "turn.closed"],
  ...["call.input.validated", "call.output.validated", "call.completed", "call.errored"],
  ...["action.settled", "action.unknown", "action.resolved", "approval.requested"],
  ...["approval.decided", "approval.expired", "question.asked", "question.answered", "log"],
  ...["cache.hit", "note.added", "note.expired", "run.resolved"],
  ...["drift.reconciled", "artifact.adopted"],
  ...["fanout.fixed", "item.closed", "step.retried", "step.skipped", "group.closed"],
  ...["plan.proposed", "plan.decided", "plan.closed"],
] as const;

export function watchCalls(promises: Promises): CallWatch {
  const loops = new Map<string, string>();
  const children = new Map<string, Child>();
  const completed = new Set<string>();
  /** The children of a prompt's latest round, in their order. */
  const rounds = new Map<string, string[]>();
  const checkOrder = ({ call, sequence }: EventOf<"action.claimed">): void => {
    const round = rounds.get(children.get(call)?.parent ?? "") ?? [];
    const upTo = round.slice(0, round.indexOf(call) + 1);
    const isFree = (child: string): boolean => INDEPENDENT.has(children.get(child)?.loop ?? "");
    // Its parallel neighbours go back to the first call that acts alone.
    const group = isFree(call)
      ? upTo.findLastIndex((child) => !isFree(child)) + 1
      : upTo.length - 1;
    const ahead = upTo.slice(0, Math.max(0, group));
    const isNext = ahead.every((child) => completed.has(child));
    promises.hold(isNext, `claim ${sequence} does not wait for what stands before it`);
  };
  return {
    onEvent: answerEvents(IGNORED, {
      "call.started": ({ call, content }) => loops.set(call, content.loop),
      "child.started": ({ call, content: { child, loop, step } }) => {
        children.set(child, { parent: call, loop, step });
        rounds.get(call)?.push(child);
      },
      "child.completed": ({ content }) => completed.add(content.child),
      "action.claimed": (event) => {
        if (event.content.action === "model") rounds.set(event.call, []);
        else checkOrder(event);
      },
    }),
    placesOf: (call) => {
      const places: CallPlace[] = [];
      for (let at = children.get(call); at !== undefined; at = children.get(at.parent))
        places.unshift({ loop: loops.get(at.parent) ?? "", step: at.step });
      return places;
    },
  };
}
