/**
 * Records the events of a turn's calls: against the record while a turn is resumed, into the log
 * from there on.
 */
import { InvariantError, type LoopEvent } from "@turnseal/protocol";
import { pickCallEvents } from "@turnseal/protocol/trace";
import { TRACE_EVENTS_MAX } from "../limits.ts";
import type { Appender, EventDraft } from "../log/appender.ts";
import { checkSame, queueName, type RecordedTurn } from "./recorded-turn.ts";
import type { Happening, Recorder } from "./recorder.ts";

export interface TurnRecorderOptions {
  readonly turn: number;
  readonly appender: Appender;
  readonly recorded: RecordedTurn;
  /** The events that `recorded` was read from. */
  readonly before: readonly LoopEvent[];
  readonly signal: AbortSignal;
}

interface Place {
  readonly lastMs: number;
  readonly idleMs: number;
}

export function createTurnRecorder(options: TurnRecorderOptions): Recorder {
  const { appender, recorded } = options;
  const idleMs = recorded.idleMs();
  const shared = { ...options, count: 0, wasCancelled: watchForCancels(appender) };
  return openRecorder(shared, { lastMs: appender.lastMs() - idleMs, idleMs });
}

/** What all forks of a recorder have in common. */
interface Shared extends TurnRecorderOptions {
  count: number;
  readonly wasCancelled: () => boolean;
}

function openRecorder(shared: Shared, place: Place): Recorder {
  const { turn, appender, recorded, signal } = shared;
  let { lastMs, idleMs } = place;
  const record: Recorder["record"] = (make) => {
    shared.count += 1;
    // The type and the call of an event do not depend on its time, so the time it had can be looked
    // up first.
    const draft = make(lastMs);
    const known = recorded.takeEvent(queueName(draft), draft.type);
    if (known === undefined) {
      // The record is a beginning of what the code makes: something new may only follow all of it.
      recorded.checkAllTaken();
      idleMs = recorded.idleMs();
      const event = appender.push((nowMs) => toDraft(make(nowMs - idleMs), turn));
      lastMs = Date.parse(event.at) - idleMs;
      return lastMs;
    }
    idleMs = recorded.idleMs(known.sequence);
    lastMs = Date.parse(known.at) - idleMs;
    checkSame(known, make(lastMs).content);
    return lastMs;
  };
  return {
    listEvents: () => pickCallEvents([...shared.before, ...appender.sinceMark()]),
    record,
    lastMs: () => lastMs,
    idleMs: () => idleMs,
    fork: () => openRecorder(shared, { lastMs, idleMs }),
    join: (forks) => {
      for (const fork of forks) {
        const isLater = fork.lastMs() + fork.idleMs() > lastMs + idleMs;
        if (isLater) [lastMs, idleMs] = [fork.lastMs(), fork.idleMs()];
      }
    },
    follow: ({ at, sequence }) => {
      idleMs = recorded.idleMs(sequence);
      lastMs = Date.parse(at) - idleMs;
    },
    hasBegun: (call) => recorded.hasMore(call),
    isEarly: (call, child) => recorded.isEarly(call, child),
    isFull: () => shared.count >= TRACE_EVENTS_MAX,
    isCancelled: (call) => recorded.isCancelled(call) || signal.aborted || shared.wasCancelled(),
  };
}

/**
 * A cancel counts from its place in the log on, as it will for a resume, and not only when whoever
 * took it in gets round to the signal.
 */
function watchForCancels({ sinceMark }: Appender): () => boolean {
  let [seen, wasCancelled] = [0, false];
  return () => {
    const events = sinceMark();
    for (; seen < events.length; seen++) {
      const event = events[seen];
      wasCancelled ||= event?.type === "signal.received" && event.content.kind === "cancel";
    }
    return wasCancelled;
  };
}

/** Actions are the journal's: it claims them in the log itself. */
function toDraft(happening: Happening, turn: number): EventDraft {
  if (happening.type === "action.claimed" || happening.type === "action.settled")
    throw new InvariantError("an action of a run is claimed by its journal");
  return { ...happening, turn };
}
