/** A bus between processes: streams of the server, with its own groups of consumers. */
import { BUS_GROUPS_MAX, BUS_TOPIC_EVENTS_MAX, type BusRows, StoreError } from "@turnseal/ports";
import { answerOf, readTexts, toPairs } from "./answer-of.ts";
import { PUBLISH_EVENTS, TAKE_EVENTS } from "./bus-scripts.ts";
import type { Connection } from "./connection.ts";

export function redisBusRows(connection: Connection, prefix: string): BusRows {
  // In braces stands what a cluster keeps in one place: a topic.
  const keyOf = (topic: string) => `${prefix}bus:{${encodeURIComponent(topic)}}`;
  const toRows = (texts: readonly string[]) =>
    toPairs(texts).map(([number, body]) => ({ number: Number(number), body }));
  return {
    publish: async (topic, bodies) => {
      const keys = [keyOf(topic), `${keyOf(topic)}:last`];
      const given = [String(BUS_TOPIC_EVENTS_MAX), ...bodies];
      const last = Number(await answerOf(connection.run(PUBLISH_EVENTS, keys, given)));
      if (last < 0)
        throw new StoreError("STORE_FULL", `a topic holds ${BUS_TOPIC_EVENTS_MAX} events`);
      return last;
    },
    read: async (topic, from, limit) => {
      const page = ["COUNT", String(limit)];
      const found = await answerOf(
        connection.send("XRANGE", keyOf(topic), `${from}-0`, "+", ...page),
      );
      if (!Array.isArray(found)) return [];
      return found.map(([id, [, body]]: [string, [string, string]]) => ({
        ...{ number: Number.parseInt(id, 10), body },
      }));
    },
    take: async (topic, { group, consumer, holdMs, limit }) => {
      const given = [group, consumer, ...[holdMs, limit, BUS_GROUPS_MAX].map(String)];
      const told = await readTexts(connection.run(TAKE_EVENTS, [keyOf(topic)], given));
      if (told[0] === "-1")
        throw new StoreError("STORE_FULL", `a topic has ${BUS_GROUPS_MAX} groups`);
      return toRows(told);
    },
    acknowledge: async (topic, group, numbers) => {
      const ids = numbers.map((number) => `${number}-0`);
      await answerOf(connection.send("XACK", keyOf(topic), group, ...ids));
    },
    trim: async (topic, before) => {
      await answerOf(connection.send("XTRIM", keyOf(topic), "MINID", `${before}-0`));
    },
  };
}
