/**
 * Records the events of a turn's calls: against the record while a turn is resumed, into the log
 * from there on.
 */
import { InvariantError, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import { pickCallEvents } from "@turnseal/protocol/trace";
import { TRACE_EVENTS_MAX } from "../limits.ts";
import { type Appender, type EventDraft, toReference } from "../log/appender.ts";
import { type Branch, trunk } from "./branch.ts";
import type { ItemOfCall } from "./item-place.ts";
import { listHanded } from "./list-handed.ts";
import { queueName } from "./recorded-queues.ts";
import { checkSame, isOfCalls, type RecordedTurn } from "./recorded-turn.ts";
import type { Happening, Recorder, TurnLog } from "./recorder.ts";
import { StoppedError } from "./stopped-error.ts";

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
  readonly branch: Branch;
  /** The innermost item that it is of. */
  readonly item?: ItemOfCall | undefined;
}

export function createTurnRecorder(options: TurnRecorderOptions): Recorder {
  const { appender, recorded } = options;
  const idleMs = recorded.idleMs();
  // A resume repeats parallel parts in another order: only the log has the same count.
  const count = options.before.filter(isOfCalls).length;
  const shared = { ...options, count, wasCancelled: watchForCancels(appender) };
  return openRecorder(shared, {
    lastMs: appender.lastMs() - idleMs,
    idleMs,
    branch: trunk,
  });
}

/** The state shared by all forks of a recorder. */
interface Shared extends TurnRecorderOptions {
  count: number;
  readonly wasCancelled: () => boolean;
}

function openRecorder(shared: Shared, place: Place): Recorder {
  const { turn, appender, recorded, signal } = shared;
  const { branch, item } = place;
  let { lastMs, idleMs } = place;
  let beganMs: number | undefined;
  const record: Recorder["record"] = (make) => {
    const atMs = recordOne(make);
    beganMs ??= atMs;
    return atMs;
  };
  const recordOne: Recorder["record"] = (make) => {
    // The type and the call of an event do not depend on its time, so the time it had can be looked
    // up first.
    const draft = make(lastMs);
    const known = recorded.takeEvent(queueName(draft), draft.type);
    if (known === undefined) {
      if (branch.isStopped()) throw new StoppedError();
      // The code has repeated the whole record: only then may something new follow.
      recorded.checkAllTaken();
      idleMs = recorded.idleMs();
      const event = appender.push((nowMs) => toDraft(make(nowMs - idleMs), turn));
      shared.count += 1;
      lastMs = Date.parse(event.at) - idleMs;
      return lastMs;
    }
    idleMs = recorded.idleMs(known.sequence);
    lastMs = Date.parse(known.at) - idleMs;
    checkSame(known, { ...make(lastMs).content, ...nameContent(draft.attached, appender) });
    return lastMs;
  };
  return {
    listEvents: () => pickCallEvents([...shared.before, ...appender.sinceMark()]),
    record,
    lastMs: () => lastMs,
    fork: (own, within = item) =>
      openRecorder(shared, { lastMs, idleMs, branch: own, item: within }),
    isFull: (call, about) => shared.count >= TRACE_EVENTS_MAX && !recorded.hasSaid(call, about),
    isCancelled: (call) => {
      const within = item?.call === call ? item : undefined;
      if (branch.isStopped() && !recorded.hasMore(call, within)) return true;
      return recorded.isCancelled(call, within) || signal.aborted || shared.wasCancelled();
    },
    log: {
      ...readsOf(shared),
      idleMs: () => idleMs,
      beganMs: () => beganMs,
      join: (forks) => {
        for (const fork of forks) {
          const [forkMs, wallMs] = [fork.lastMs(), fork.wallMs()];
          if (wallMs > lastMs + idleMs) [lastMs, idleMs] = [forkMs, wallMs - forkMs];
        }
      },
      follow: ({ at, sequence }) => {
        idleMs = recorded.idleMs(sequence);
        lastMs = Date.parse(at) - idleMs;
      },
    },
  };
}

/** The part of the log that has nothing to do with the time of a fork. */
function readsOf({
  appender,
  recorded,
}: Shared): Omit<TurnLog, "idleMs" | "beganMs" | "join" | "follow"> {
  return {
    hasBegun: (call) => recorded.hasMore(call),
    isEarly: (call, about) => recorded.isEarly(call, about),
    hasBegunItem: (of) => recorded.hasMore(of.call, of),
    listClosed: (call, path) => recorded.listClosed(call, path),
    listHanded: (call, path) => [...listHanded(recorded.events, { call, path }).values()],
    digestOf: (value) => appender.content.seal(value).digest,
    flush: () => appender.flush(),
  };
}

/**
 * A cancel counts from its place in the log on, as it will for a resume. The signal may come later.
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

/** The digest of an event's content. */
function nameContent(
  attached: Readonly<Record<string, JsonValue>> | undefined,
  { content }: Appender,
): object {
  if (attached === undefined) return {};
  const named = Object.entries(attached).map(([name, value]) => [
    name,
    toReference(content.seal(value)),
  ]);
  return Object.fromEntries(named);
}

/** Actions are the journal's: it claims them in the log itself. */
function toDraft(happening: Happening, turn: number): EventDraft {
  if (happening.type === "action.claimed" || happening.type === "action.settled")
    throw new InvariantError("an action of a run is claimed by its journal");
  return { ...happening, turn };
}
