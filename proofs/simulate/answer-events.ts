import { type EventOf, isVendorEvent, type LoopEvent, unreachable } from "@turnseal/protocol";
import type { LogEventType } from "@turnseal/protocol/trace";

/** A watcher's function for each type that it does not ignore. */
export type Answers<Ignored extends LogEventType, More extends readonly unknown[]> = {
  readonly [Type in Exclude<LogEventType, Ignored>]: (event: EventOf<Type>, ...more: More) => void;
};

/** A watcher names every type: a new one does not compile until it is in one of the two. */
export function answerEvents<Ignored extends LogEventType, More extends readonly unknown[] = []>(
  ignored: readonly Ignored[],
  answers: Answers<Ignored, More>,
): (event: LoopEvent, ...more: More) => void {
  const known = new Map<string, (event: never, ...more: More) => void>(Object.entries(answers));
  const others: ReadonlySet<string> = new Set(ignored);
  return (event, ...more) => {
    const answer = known.get(event.type);
    // It was looked up by its type.
    if (answer !== undefined) answer(event as never, ...more);
    else if (!others.has(event.type) && !isVendorEvent(event)) unreachable(event as never);
  };
}
