/** A bus over the rows of a server: requests are checked here, the same for every server. */
import { copyJson, type JsonValue } from "@turnseal/protocol";
import type { BusRow, BusRows } from "./bus-rows.ts";
import {
  BUS_ACKNOWLEDGE_MAX,
  BUS_EVENT_BYTES_MAX,
  BUS_PUBLISH_MAX,
  BUS_READ_MAX,
  BUS_TAKE_MAX,
  type EventBus,
} from "./event-bus.ts";

export function bindEventBus(rows: BusRows): EventBus {
  return {
    publish: async (topic, events) => {
      checkName(topic);
      if (events.length === 0 || events.length > BUS_PUBLISH_MAX)
        throw new RangeError(`1 to ${BUS_PUBLISH_MAX} events are published at once`);
      return rows.publish(topic, events.map(render));
    },
    read: async (topic, from, limit = BUS_READ_MAX) => {
      checkName(topic);
      const most = clamp(limit, BUS_READ_MAX);
      if (most === 0) return [];
      return (await rows.read(topic, Math.max(checkWhole(from), 1), most)).map(parse);
    },
    take: async (topic, { group, consumer, holdMs, limit = BUS_TAKE_MAX }) => {
      for (const name of [topic, group, consumer]) checkName(name);
      if (checkWhole(holdMs) < 1)
        throw new RangeError("events are held for at least one millisecond");
      const most = clamp(limit, BUS_TAKE_MAX);
      if (most === 0) return [];
      return (await rows.take(topic, { group, consumer, holdMs, limit: most })).map(parse);
    },
    acknowledge: async (topic, group, numbers) => {
      for (const name of [topic, group]) checkName(name);
      if (numbers.length > BUS_ACKNOWLEDGE_MAX)
        throw new RangeError(`at most ${BUS_ACKNOWLEDGE_MAX} events are acknowledged at once`);
      const asked = numbers.map(checkWhole).filter((number) => number > 0);
      if (asked.length > 0) await rows.acknowledge(topic, group, asked);
    },
    trim: async (topic, before) => {
      checkName(topic);
      if (checkWhole(before) > 1) await rows.trim(topic, before);
    },
  };
}

const namePattern = /^[\x21-\x7e]{1,200}$/;

function checkName(name: string): void {
  if (!namePattern.test(name))
    throw new RangeError("a topic, a group or a consumer has 1 to 200 printable characters");
}

function render(event: JsonValue): string {
  const copied = copyJson(event, BUS_EVENT_BYTES_MAX);
  if (copied.kind === "refused") throw new RangeError(`this event ${copied.reason}`);
  return JSON.stringify(copied.value);
}

function parse({ number, body }: BusRow): { readonly number: number; readonly event: JsonValue } {
  return { number, event: JSON.parse(body) as JsonValue };
}

function clamp(limit: number, max: number): number {
  return Math.min(Math.max(checkWhole(limit), 0), max);
}

/** Servers differ in what they make of other numbers. */
function checkWhole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError("a number is not whole");
  return value;
}
