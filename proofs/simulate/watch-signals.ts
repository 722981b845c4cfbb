/**
 * Checks a run that awaits signals, by an account of its own. Each turn after the first begins with
 * the oldest waiting signal, or is another try; a schedule gives no time twice, none before it
 * comes, and none while its last one waits.
 */
import type { EventOf, LoopEvent } from "@turnseal/protocol";
import { answerEvents } from "./answer-events.ts";
import type { WatchOptions } from "./watch-claims.ts";

export interface SignalWatch {
  onEvent(event: LoopEvent): void;
  /** True when the run waits, and a signal may begin its next turn. */
  isWaiting(): boolean;
}

const IGNORED = [
  ...["run.blocked", "run.stopped", "turn.denied", "turn.resumed", "turn.waiting", "turn.closed"],
  ...["call.started", "call.input.validated", "call.output.validated", "call.completed"],
  ...["call.errored", "child.started", "child.completed", "action.claimed", "action.settled"],
  ...["action.unknown", "action.resolved", "approval.requested", "approval.decided"],
  ...["approval.expired", "question.asked", "question.answered", "log"],
  ...["cache.hit", "note.added", "note.expired", "run.resolved"],
  ...["drift.reconciled", "artifact.adopted"],
  ...["fanout.fixed", "item.closed", "step.retried", "step.skipped", "group.closed"],
  ...["plan.proposed", "plan.decided", "plan.closed"],
] as const;

export function watchSignals({
  promises,
  tally,
}: Pick<WatchOptions, "promises" | "tally">): SignalWatch {
  let awaits: readonly string[] = [];
  let isWaiting = false;
  let decision = "";
  const queue: { readonly event: LoopEvent; readonly name: string }[] = [];
  const ticks = new Map<string, string>();

  const onSignal = (event: EventOf<"signal.received">): void => {
    const { actor, at, content } = event;
    if (content.kind !== "signal" || !awaits.includes(content.name)) return;
    const { name } = content;
    if (actor.kind === "host") {
      const tick = content.receivedAt;
      promises.hold(tick > (ticks.get(name) ?? ""), `the tick ${tick} is given again`);
      promises.hold(tick <= at, `the tick ${tick} is given before it comes`);
      promises.hold(Date.parse(tick) % 60_000 === 0, `no schedule has the tick ${tick}`);
      const isOutstanding = queue.some(
        (one) => one.event.actor.kind === "host" && one.name === name,
      );
      promises.hold(!isOutstanding, "a schedule gives a second signal before its first is used");
      ticks.set(name, tick);
    }
    queue.push({ event, name });
  };

  const onDecided = ({ content }: EventOf<"run.decided">): void => {
    const { reason, signal } = content;
    decision = reason;
    isWaiting = content.decision === "wait";
    // A run waits for its provider even if signals wait behind it.
    const isIdle = isWaiting && reason !== "provider-awaited";
    promises.hold(!isIdle || queue.length === 0, "a run waits though a signal is there");
    promises.hold(
      (signal !== undefined) === (reason === "signal-received"),
      "a signal is not named",
    );
    if (signal === undefined) return;
    const oldest = queue.shift()?.event;
    const isOldest = oldest?.sequence === signal.sequence;
    promises.hold(isOldest, "a turn does not begin with the oldest signal");
    tally.count(`fate turn-by-${oldest?.actor.kind === "host" ? "tick" : "signal"}`);
  };

  const onTurn = ({ turn }: EventOf<"turn.started">): void => {
    const causes = ["signal-received", "retry-after-failure", "rounds-exhausted"];
    const isCaused = causes.includes(decision);
    const mayBegin = awaits.length === 0 || turn === 1 || isCaused;
    promises.hold(mayBegin, `turn ${turn} begins without a signal`);
    decision = "";
  };

  return {
    isWaiting: () => isWaiting && queue.length === 0,
    onEvent: answerEvents(IGNORED, {
      "run.started": ({ content }) => {
        awaits = content.spec.bounds.awaits ?? [];
      },
      "signal.received": onSignal,
      "run.decided": onDecided,
      "turn.started": onTurn,
    }),
  };
}
