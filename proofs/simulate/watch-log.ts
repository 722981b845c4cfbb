/**
 * Holds every append against the promises of the runtime: who writes, what follows what, what is
 * sealed, what it costs.
 */
import { applyEvent, emptyProjection, type RunProjection } from "@turnseal/folds";
import { readSnapshot } from "@turnseal/host";
import type { Append } from "@turnseal/ports";
import { canonicalize, type LoopEvent, parseEvent } from "@turnseal/protocol";
import { createAcceptor } from "@turnseal/protocol/receipts";
import { answerEvents } from "./answer-events.ts";
import type { Attempt } from "./attempt.ts";
import { checkAppend } from "./canary.ts";
import { type ClaimWatch, type WatchOptions, watchClaims } from "./watch-claims.ts";
import { watchSignals } from "./watch-signals.ts";

/** Told of every event with the state after it, and of who wrote it. */
export type Follow = (event: LoopEvent, after: RunProjection, by: Attempt) => void;

export interface LogWatch extends Omit<ClaimWatch, "onEvent"> {
  projection(): RunProjection;
  events(): readonly LoopEvent[];
  /** True while the run waits for a signal. */
  awaitsSignal(): boolean;
  /** True when the receipt of a turn is in the store. */
  isSealed(turn: number): boolean;
  /** An append that the store has taken. */
  onAppend(attempt: Attempt, append: Append, ownerEpoch: number): void;
}

const IGNORED = [
  ...["run.started", "run.decided", "run.blocked", "run.resolved", "signal.received"],
  "turn.started",
  ...["turn.denied", "turn.resumed", "turn.waiting", "call.started", "call.input.validated"],
  ...["call.output.validated", "call.completed", "call.errored", "child.started"],
  ...["child.completed", "action.claimed", "action.settled", "action.unknown", "action.resolved"],
  ...["approval.requested", "approval.decided", "approval.expired", "question.asked"],
  ...["question.answered", "log"],
  ...["cache.hit", "note.added", "note.expired"],
  ...["drift.reconciled", "artifact.adopted"],
  ...["fanout.fixed", "item.closed", "step.retried", "step.skipped", "group.closed"],
  ...["plan.proposed", "plan.decided", "plan.closed"],
] as const;

export function watchLog(run: string, options: WatchOptions, tell: Follow): LogWatch {
  const { tally, promises } = options;
  const { onEvent: follow, ...claims } = watchClaims(options);
  const signals = watchSignals(options);
  let projection = emptyProjection(run);
  const acceptor = createAcceptor();
  const events: LoopEvent[] = [];
  const sealed = new Set<number>();

  const onEnd = answerEvents<(typeof IGNORED)[number], [before: RunProjection]>(IGNORED, {
    "turn.closed": ({ content }, { openTurn }) => {
      const open = openTurn?.open ?? [];
      for (const _ of open) tally.count("fate open-at-close");
      const isEnded = content.outcome !== "cancelled" || open.every((one) => !one.handoff);
      promises.hold(isEnded, "a cancelled turn ends before those that it has handed to");
    },
    "run.stopped": ({ content }) => tally.count(`stop ${content.reason}`),
  });
  const onEvent = (event: LoopEvent, by: Attempt): void => {
    const { type, sequence, previous } = event;
    const isNext = sequence === projection.sequence + 1 && previous === projection.hash;
    promises.hold(isNext, "I3: the chain is broken");
    const parsed = parseEvent(event);
    const wrong = parsed.kind === "refused" ? parsed.where : "";
    promises.hold(parsed.kind === "event", `event ${sequence} (${type}) is none: ${wrong}`);
    const rule = acceptor.accept(event);
    promises.hold(rule === undefined, `event ${sequence} (${type}) breaks the rule ${rule?.name}`);
    const before = projection;
    projection = applyEvent(projection, event);
    follow(event, before, projection);
    signals.onEvent(event);
    tell(event, projection, by);
    onEnd(event, before);
  };

  return {
    ...claims,
    projection: () => projection,
    events: () => events,
    awaitsSignal: signals.isWaiting,
    isSealed: (turn) => sealed.has(turn),
    onAppend: (attempt, append, ownerEpoch) => {
      const { epoch, events: added, receipt, snapshot, after } = append;
      const isOwner = epoch === ownerEpoch && attempt.epoch === epoch;
      promises.hold(isOwner, `I3: epoch ${epoch} appends, and epoch ${ownerEpoch} owns the run`);
      promises.hold(after.hash === projection.hash, "I3: an append follows another head");
      for (const event of added) onEvent(event, attempt);
      checkAppend(append, promises);
      events.push(...added);
      if (receipt !== undefined) sealed.add(receipt.turn);
      const closed = added.find(({ type }) => type === "turn.closed");
      const isWhole = closed?.turn === receipt?.turn;
      promises.hold(isWhole, "I4: a turn is closed and sealed in one append");
      const isFold =
        closed === undefined || canonicalize(readSnapshot(snapshot)) === canonicalize(projection);
      promises.hold(isFold, "I7: a snapshot is not the fold of the events");
    },
  };
}
