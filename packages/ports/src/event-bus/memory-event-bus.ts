import type { Clock } from "../clock/clock.ts";
import { systemClock } from "../clock/system-clock.ts";
import { StoreError } from "../stores/store-error.ts";
import { bindEventBus } from "./bind-event-bus.ts";
import type { BusRow, RowsToTake } from "./bus-rows.ts";
import { BUS_GROUPS_MAX, BUS_TOPIC_EVENTS_MAX, type EventBus } from "./event-bus.ts";

/** The events that a group has handed out. */
interface Group {
  /** The last number that was handed out for the first time. */
  last: number;
  /** Since when events that are not acknowledged are somebody's. */
  readonly held: Map<number, number>;
}

interface Topic {
  last: number;
  readonly rows: Map<number, BusRow>;
  readonly groups: Map<string, Group>;
}

/** The bus of one process: publishers and consumers are in it. */
export function memoryEventBus(clock: Clock = systemClock): EventBus {
  const topics = new Map<string, Topic>();
  const open = (name: string): Topic => {
    const topic = topics.get(name) ?? { last: 0, rows: new Map(), groups: new Map() };
    topics.set(name, topic);
    return topic;
  };
  return bindEventBus({
    publish: async (name, bodies) => {
      const topic = open(name);
      if (topic.rows.size + bodies.length > BUS_TOPIC_EVENTS_MAX)
        throw new StoreError("STORE_FULL", `a topic holds ${BUS_TOPIC_EVENTS_MAX} events`);
      for (const body of bodies) {
        topic.last++;
        topic.rows.set(topic.last, { number: topic.last, body });
      }
      return topic.last;
    },
    read: async (name, from, limit) => {
      const { rows } = open(name);
      return [...rows.values()].filter(({ number }) => number >= from).slice(0, limit);
    },
    take: async (name, taking) => takeRows(open(name), taking, clock.now()),
    acknowledge: async (name, group, numbers) => {
      const known = open(name).groups.get(group);
      for (const number of numbers) known?.held.delete(number);
    },
    trim: async (name, before) => {
      const { rows, groups } = open(name);
      for (const number of rows.keys()) if (number < before) rows.delete(number);
      for (const { held } of groups.values())
        for (const number of held.keys()) if (number < before) held.delete(number);
    },
  });
}

function takeRows(
  { rows, groups }: Topic,
  { group: name, holdMs, limit }: RowsToTake,
  nowMs: number,
): readonly BusRow[] {
  const group = groups.get(name) ?? { last: 0, held: new Map<number, number>() };
  if (!groups.has(name) && groups.size >= BUS_GROUPS_MAX)
    throw new StoreError("STORE_FULL", `a topic has ${BUS_GROUPS_MAX} groups`);
  groups.set(name, group);
  const left = [...group.held]
    .filter(([, sinceMs]) => nowMs - sinceMs >= holdMs)
    .map(([number]) => number);
  const fresh = [...rows.keys()].filter((number) => number > group.last);
  const taken = [...left.toSorted((a, b) => a - b), ...fresh].slice(0, limit);
  for (const number of taken) {
    group.held.set(number, nowMs);
    group.last = Math.max(group.last, number);
  }
  return taken.flatMap((number) => rows.get(number) ?? []);
}
