/**
 * Records the events of a turn's calls: against the record while a turn is resumed, into the log
 * from there on.
 */
import type { JsonObject, LoopEvent } from "@turnseal/protocol";
import { TRACE_EVENTS_MAX } from "../limits.ts";
import type { Happening, Recorder } from "../recorder.ts";
import type { Appender, EventDraft } from "./appender.ts";
import { checkSame, queueName, type RecordedTurn } from "./recorded-turn.ts";

export interface TurnRecorderOptions {
  readonly turn: number;
  readonly appender: Appender;
  readonly recorded: RecordedTurn;
  readonly signal: AbortSignal;
}

export interface TurnRecorder extends Recorder {
  /**
   * Takes over the time of an event that the journal made. What a tool says while it runs is not
   * said again by a resume: time goes on from the end of the action, which is the same in both.
   */
  follow(event: LoopEvent): void;
}

export function createTurnRecorder({
  turn,
  appender,
  recorded,
  signal,
}: TurnRecorderOptions): TurnRecorder {
  let count = 0;
  let idleMs = recorded.idleMs();
  let lastMs = appender.lastMs() - idleMs;
  const record: Recorder["record"] = (make) => {
    count += 1;
    // The type and the call of an event do not depend on its time, so the time it had can be looked
    // up first.
    const draft = make(lastMs);
    const known = recorded.takeEvent(queueOf(draft), draft.type);
    if (known === undefined) {
      // The record is a beginning of what the code makes: something new may only follow all of it.
      recorded.checkAllTaken();
      idleMs = recorded.idleMs();
      const event = appender.push((nowMs) => ({ ...toDraft(make(nowMs - idleMs)), turn }));
      lastMs = Date.parse(event.at) - idleMs;
      return lastMs;
    }
    idleMs = recorded.idleMs(known.sequence);
    lastMs = Date.parse(known.at) - idleMs;
    checkSame(known, make(lastMs).content as unknown as JsonObject);
    return lastMs;
  };
  return {
    events: [],
    record,
    lastMs: () => lastMs,
    idleMs: () => idleMs,
    place: () => ({ lastMs, idleMs }),
    goTo: (place) => {
      ({ lastMs, idleMs } = place);
    },
    follow: ({ at, sequence }) => {
      idleMs = recorded.idleMs(sequence);
      lastMs = Date.parse(at) - idleMs;
    },
    hasBegun: (call) => recorded.hasMore(call),
    isFull: () => count >= TRACE_EVENTS_MAX,
    isCancelled: (call) => recorded.isCancelled(call) || signal.aborted,
  };
}

/** What is said of a child stands apart: children that run beside each other end in any order. */
function queueOf({ type, call, content }: Happening): string {
  return queueName({ type, call, content: content as unknown as JsonObject });
}

function toDraft({ type, call, parentCall, content, attached }: Happening): EventDraft {
  return {
    type,
    call,
    ...(parentCall === undefined ? {} : { parentCall }),
    content: content as unknown as JsonObject,
    ...(attached === undefined ? {} : { attached }),
  };
}
