import { strict as assert } from "node:assert";
import type { JsonValue } from "@turnseal/protocol";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import {
  BUS_ACKNOWLEDGE_MAX,
  BUS_EVENT_BYTES_MAX,
  BUS_GROUPS_MAX,
  BUS_PUBLISH_MAX,
  BUS_READ_MAX,
  BUS_TAKE_MAX,
  BUS_TOPIC_EVENTS_MAX,
  type BusEvent,
  type EventBus,
} from "./event-bus.ts";

/** A bus as two processes have it, that of another tenant, and how time passes on it. */
export interface EventBusSubject {
  readonly bus: EventBus;
  readonly other: EventBus;
  readonly stranger: EventBus;
  readonly pass: (ms: number) => void | Promise<void>;
}

/** The contract of every bus. A subject is empty at first. */
export function eventBusContract(options: ContractOptions<EventBusSubject>): ContractCase[] {
  return bindContract(sentences, options);
}

const numbersOf = (events: readonly BusEvent[]): number[] => events.map(({ number }) => number);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const HOLD_MS = 100;
const taking = (part: object = {}) => ({
  ...{ group: "group", consumer: "one", holdMs: HOLD_MS, ...part },
});
const whole = { holdMs: 600_000 };

type Sentences = Readonly<Record<string, (subject: EventBusSubject) => Promise<void>>>;

const publishing: Sentences = {
  "events have numbers without a gap, and those of one publish stand together": async (subject) => {
    const { bus, other } = subject;
    const published = Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? bus : other).publish("topic", [`${at}.0`, `${at}.1`, `${at}.2`]),
    );
    const lasts = await Promise.all(published);
    const read = await other.read("topic", 1);
    assert.deepEqual(numbersOf(read), range(1, 60));
    for (const [at, last] of lasts.entries())
      assert.deepEqual(
        read.slice(last - 3, last).map(({ event }) => event),
        [`${at}.0`, `${at}.1`, `${at}.2`],
      );
  },
  "events are read again from any number, whatever groups have done": async (subject) => {
    const { bus, other } = subject;
    await bus.publish("topic", range(1, BUS_READ_MAX + 10));
    const taken = await bus.take("topic", taking({ limit: 10 }));
    await bus.acknowledge("topic", "group", numbersOf(taken));
    assert.deepEqual(numbersOf(await other.read("topic", 5, 3)), [5, 6, 7]);
    assert.equal((await other.read("topic", 1, 100_000)).length, BUS_READ_MAX);
    assert.deepEqual(numbersOf(await other.read("topic", BUS_READ_MAX + 9)), [509, 510]);
    assert.deepEqual(await other.read("topic", 10_000), []);
    assert.deepEqual(await other.read("another", 1), []);
  },
  "what is no event, or too many, is refused, and nothing is there": async ({ bus }) => {
    const largest = "v".repeat(BUS_EVENT_BYTES_MAX - 2);
    const wrong: unknown[][] = [[], [1, undefined], [Number.NaN], [`${largest}v`]];
    for (const events of [...wrong, range(0, BUS_PUBLISH_MAX)])
      await assert.rejects(() => bus.publish("topic", events as JsonValue[]), RangeError);
    for (const topic of ["", "a b", "ä", "t".repeat(201)])
      await assert.rejects(() => bus.publish(topic, [1]), RangeError);
    await assert.rejects(() => bus.take("topic", taking({ holdMs: 0 })), RangeError);
    for (const odd of [Number.NaN, 1.5, Number.POSITIVE_INFINITY, "1" as unknown as number])
      for (const ask of [
        () => bus.read("topic", odd),
        () => bus.read("topic", 1, odd),
        () => bus.take("topic", taking({ holdMs: odd })),
        () => bus.take("topic", taking({ limit: odd })),
        () => bus.acknowledge("topic", "group", [odd]),
        () => bus.trim("topic", odd),
      ])
        await assert.rejects(ask, RangeError);
    const most = range(1, BUS_ACKNOWLEDGE_MAX);
    await bus.acknowledge("topic", "group", most);
    await assert.rejects(() => bus.acknowledge("topic", "group", [...most, 1]), RangeError);
    assert.deepEqual(await bus.read("topic", -1, 0), []);
    assert.deepEqual(await bus.read("topic", 1), []);
    assert.equal(await bus.publish("topic", [largest]), 1);
  },
  "a topic holds BUS_TOPIC_EVENTS_MAX events, and takes more when it is trimmed": async (
    subject,
  ) => {
    const { bus } = subject;
    const most = Array.from({ length: BUS_PUBLISH_MAX }, () => 0);
    for (let count = 0; count < BUS_TOPIC_EVENTS_MAX; count += BUS_PUBLISH_MAX)
      await bus.publish("topic", most);
    await assert.rejects(() => bus.publish("topic", [1]), { code: "STORE_FULL" });
    await bus.take("topic", taking({ limit: 1 }));
    await bus.trim("topic", BUS_TOPIC_EVENTS_MAX - 1);
    assert.equal(await bus.publish("topic", ["more"]), BUS_TOPIC_EVENTS_MAX + 1);
    const left = range(BUS_TOPIC_EVENTS_MAX - 1, BUS_TOPIC_EVENTS_MAX + 1);
    assert.deepEqual(numbersOf(await bus.read("topic", 1)), left);
    assert.deepEqual(numbersOf(await bus.take("topic", taking())), left);
  },
  "another tenant hears nothing of it": async ({ bus, stranger }) => {
    await bus.publish("topic", ["mine"]);
    assert.deepEqual(await stranger.read("topic", 1), []);
    assert.deepEqual(await stranger.take("topic", taking()), []);
    assert.equal(await stranger.publish("topic", ["theirs"]), 1);
    assert.deepEqual(await bus.read("topic", 1), [{ number: 1, event: "mine" }]);
  },
};

const consuming: Sentences = {
  "of a group each event goes to one consumer, and every group has all": async (subject) => {
    const { bus, other } = subject;
    await bus.publish("topic", range(1, 90));
    const taken = await Promise.all(
      range(0, 8).map((at) =>
        (at % 2 === 0 ? bus : other).take(
          "topic",
          taking({ ...whole, consumer: `c${at}`, limit: 10 }),
        ),
      ),
    );
    const numbers = taken.flatMap(numbersOf);
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      range(1, 90),
    );
    for (const events of taken)
      assert.deepEqual(
        numbersOf(events),
        numbersOf(events).toSorted((a, b) => a - b),
      );
    assert.deepEqual(await bus.take("topic", taking(whole)), []);
    const second = await other.take("topic", taking({ ...whole, group: "second" }));
    assert.deepEqual(numbersOf(second), range(1, 90));
  },
  "what was not acknowledged is handed out again, to anybody of the group, before the rest": async (
    subject,
  ) => {
    const { bus, other, pass } = subject;
    await bus.publish("topic", range(1, 6));
    assert.deepEqual(numbersOf(await bus.take("topic", taking({ limit: 4 }))), [1, 2, 3, 4]);
    await bus.acknowledge("topic", "group", [2, 3]);
    await pass(HOLD_MS + 20);
    const again = await other.take("topic", taking({ consumer: "two" }));
    assert.deepEqual(numbersOf(again), [1, 4, 5, 6]);
    assert.deepEqual(again[0], { number: 1, event: 1 });
  },
  "what is acknowledged is never handed out again, also late or twice": async (subject) => {
    const { bus, other, pass } = subject;
    await bus.publish("topic", range(1, 3));
    await bus.take("topic", taking());
    await pass(HOLD_MS + 20);
    await bus.acknowledge("topic", "group", [1, 2]);
    await other.acknowledge("topic", "group", [1, 2, 99]);
    assert.deepEqual(numbersOf(await other.take("topic", taking({ consumer: "two" }))), [3]);
    await other.acknowledge("topic", "group", [3]);
    await pass(HOLD_MS + 20);
    assert.deepEqual(await bus.take("topic", taking()), []);
    await bus.publish("topic", [4]);
    assert.deepEqual(numbersOf(await bus.take("topic", taking())), [4]);
  },
  "while an event is held nobody else has it": async ({ bus, other }) => {
    await bus.publish("topic", [1]);
    assert.equal((await bus.take("topic", taking(whole))).length, 1);
    assert.deepEqual(await other.take("topic", taking({ ...whole, consumer: "two" })), []);
    assert.deepEqual(await bus.take("topic", taking(whole)), []);
  },
  "at most BUS_TAKE_MAX events are taken, and a topic has BUS_GROUPS_MAX groups": async ({
    bus,
  }) => {
    await bus.publish("topic", range(1, BUS_TAKE_MAX + 1));
    assert.equal((await bus.take("topic", taking({ limit: 10_000 }))).length, BUS_TAKE_MAX);
    assert.deepEqual(await bus.take("topic", taking({ limit: 0 })), []);
    for (let at = 1; at < BUS_GROUPS_MAX; at++)
      await bus.take("topic", taking({ group: `g${at}`, limit: 1 }));
    const more = () => bus.take("topic", taking({ group: "more" }));
    await assert.rejects(more, { code: "STORE_FULL" });
  },
};

const sentences: Sentences = { ...publishing, ...consuming };
