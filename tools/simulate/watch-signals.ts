/**
 * Holds a run that awaits signals to its word, by an account of its own: each turn after the first
 * begins with the oldest signal that waits, or is another try; a schedule gives no time twice, none
 * before it comes, and none while its last one waits.
 */
import type { LoopEvent, RunSpec } from "@turnseal/protocol";
import type { WatchOptions } from "./watch-claims.ts";

export interface SignalWatch {
  onEvent(event: LoopEvent): void;
  /** True when the run waits, and a signal may begin its next turn. */
  isWaiting(): boolean;
}

export function watchSignals({
  promises,
  tally,
}: Pick<WatchOptions, "promises" | "tally">): SignalWatch {
  let awaits: readonly string[] = [];
  let isWaiting = false;
  let decision = "";
  const queue: LoopEvent[] = [];
  const ticks = new Map<string, string>();

  const onSignal = (event: LoopEvent): void => {
    const { actor, at, content } = event;
    const name = String(content["name"]);
    if (content["kind"] !== "signal" || !awaits.includes(name)) return;
    if (actor.kind === "host") {
      const tick = String(content["receivedAt"]);
      promises.hold(tick > (ticks.get(name) ?? ""), `the tick ${tick} is given again`);
      promises.hold(tick <= at, `the tick ${tick} is given before it comes`);
      promises.hold(Date.parse(tick) % 60_000 === 0, `no schedule has the tick ${tick}`);
      const isOutstanding = queue.some(
        (one) => one.actor.kind === "host" && one.content["name"] === name,
      );
      promises.hold(!isOutstanding, "a schedule gives a second signal before its first is used");
      ticks.set(name, tick);
    }
    queue.push(event);
  };

  const onDecided = ({ content }: LoopEvent): void => {
    const { reason, signal } = content;
    decision = String(reason);
    isWaiting = content["decision"] === "wait";
    promises.hold(!isWaiting || queue.length === 0, "a run waits though a signal is there");
    promises.hold(
      (signal !== undefined) === (reason === "signal-received"),
      "a signal is not named",
    );
    if (signal === undefined) return;
    const oldest = queue.shift();
    const isOldest = oldest?.sequence === Object(signal).sequence;
    promises.hold(isOldest, "a turn does not begin with the oldest signal");
    tally.count(`fate turn-by-${oldest?.actor.kind === "host" ? "tick" : "signal"}`);
  };

  const onTurn = ({ turn = 0 }: LoopEvent): void => {
    const isCaused = decision === "signal-received" || decision === "retry-after-failure";
    const mayBegin = awaits.length === 0 || turn === 1 || isCaused;
    promises.hold(mayBegin, `turn ${turn} begins without a signal`);
    decision = "";
  };

  return {
    isWaiting: () => isWaiting && queue.length === 0,
    onEvent: (event) => {
      const { type, content } = event;
      if (type === "run.started")
        awaits = (content["spec"] as unknown as RunSpec).bounds.awaits ?? [];
      if (type === "signal.received") onSignal(event);
      if (type === "run.decided") onDecided(event);
      if (type === "turn.started") onTurn(event);
    },
  };
}
