import { type EventEnvelope, parseGenerationId } from "@turnseal/protocol/events";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import type { ToldMessage } from "./told-message.ts";

/** The turns that try the same words again, as parts of one message. */
export interface Tries {
  /** The turn that is sent now. */
  turn(): number;
  event(event: EventEnvelope): void;
  delta(delta: LiveDelta): void;
  /** Whether a turn to come asks the provider again. */
  awaitRetry(isRetried: boolean): void;
  /** True while the reported failure will be retried. */
  isRetried(): boolean;
  /** Continues with the turn that retries the same words. */
  tryAgain(): void;
}

export interface KnownTries {
  readonly first: number;
  /** The last turn that is known to try the same words again. */
  readonly last: number;
}

/** Events of later turns that wait until it is known what these are. */
const LATER_MAX = 10_000;

export function followTries({ first, last }: KnownTries, { chunks, begin }: ToldMessage): Tries {
  let turn = first;
  let isRetried = false;
  let later: EventEnvelope[] = [];
  const tryAgain = (): void => {
    turn += 1;
    isRetried = false;
    chunks.tryAgain();
    const waited = later;
    later = [];
    waited.forEach(take);
  };
  const take = (event: EventEnvelope): void => {
    const of = parseGenerationId(generationOf(event) ?? "")?.turn ?? 0;
    if (of === turn + 1 && (isRetried || of <= last) && chunks.hasFailed()) tryAgain();
    if (of === turn) {
      begin();
      chunks.event(event);
    } else if (of > turn && later.length < LATER_MAX) later.push(event);
  };
  return {
    ...{ tryAgain, event: take },
    turn: () => turn,
    delta: (delta) => {
      if (delta.turn === turn + 1 && isRetried && chunks.hasFailed()) tryAgain();
      if (delta.turn !== turn) return;
      begin();
      chunks.delta(delta);
    },
    awaitRetry: (isAwaited) => {
      isRetried = isAwaited;
    },
    isRetried: () => isRetried && chunks.hasFailed(),
  };
}

/** The turn that an event is about. */
function generationOf(event: EventEnvelope): string | undefined {
  return event.type === "user-abort" ? event.content.generationId : event.generationId;
}
