import { describe, expect, test } from "vitest";
import { manualClock } from "../clock/manual-clock.ts";
import { findMissed } from "../find-missed.test.data.ts";
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
import { type EventBusSubject, eventBusContract } from "./event-bus-contract.ts";
import { memoryEventBus } from "./memory-event-bus.ts";
import { beginTick } from "./tick.ts";

function subjectOf(change: (bus: EventBus) => Partial<EventBus> = () => ({})): EventBusSubject {
  const clock = manualClock();
  const known = memoryEventBus(clock);
  const bus = { ...known, ...change(known) };
  return { bus, other: bus, stranger: memoryEventBus(), pass: (ms) => void clock.advance(ms) };
}

describe("a bus in memory keeps the contract", () => {
  for (const { name, run } of eventBusContract({ create: () => subjectOf() })) test(name, run);
});

test("its limits are what they are said to be", () => {
  expect([BUS_EVENT_BYTES_MAX, BUS_PUBLISH_MAX, BUS_READ_MAX]).toEqual([65_536, 1_000, 500]);
  expect([BUS_TAKE_MAX, BUS_TOPIC_EVENTS_MAX, BUS_GROUPS_MAX]).toEqual([100, 100_000, 100]);
  expect(BUS_ACKNOWLEDGE_MAX).toBe(1_000);
});

const pass = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

test("the contract finds buses that do not keep it", async () => {
  const broken: Readonly<Record<string, () => EventBusSubject>> = {
    "events have numbers without a gap, and those of one publish stand together": () =>
      subjectOf(({ publish }) => ({
        publish: async (topic, events) => {
          let last = 0;
          for (const event of events) {
            last = await publish(topic, [event]);
            await pass();
          }
          return last;
        },
      })),
    "events are read again from any number, whatever groups have done": () =>
      subjectOf(({ acknowledge, trim }) => ({
        acknowledge: async (topic, group, numbers) => {
          await acknowledge(topic, group, numbers);
          await trim(topic, Math.max(...numbers) + 1);
        },
      })),
    "what is no event, or too many, is refused, and nothing is there": () =>
      subjectOf(({ publish }) => ({
        publish: async (topic, events) => (events.length === 0 ? 0 : publish(topic, events)),
      })),
    "a topic holds BUS_TOPIC_EVENTS_MAX events, and takes more when it is trimmed": () =>
      subjectOf(() => ({ trim: async () => {} })),
    "another tenant hears nothing of it": () => {
      const subject = subjectOf();
      return { ...subject, stranger: subject.bus };
    },
    "of a group each event goes to one consumer, and every group has all": () =>
      subjectOf(({ take }) => ({
        take: (topic, taking) => take(topic, { ...taking, group: "all" }),
      })),
    "what was not acknowledged is handed out again, to anybody of the group, before the rest": () =>
      subjectOf(({ take, acknowledge }) => ({
        take: async (topic, taking) => {
          const taken = await take(topic, taking);
          const numbers = taken.map(({ number }) => number);
          await acknowledge(topic, taking.group, numbers);
          return taken;
        },
      })),
    "what is acknowledged is never handed out again, also late or twice": () =>
      subjectOf(() => ({ acknowledge: async () => {} })),
    "while an event is held nobody else has it": () =>
      subjectOf(({ read }) => ({ take: (topic): Promise<readonly BusEvent[]> => read(topic, 1) })),
    "at most BUS_TAKE_MAX events are taken, and a topic has BUS_GROUPS_MAX groups": () =>
      subjectOf(({ take, read }) => ({
        take: async (topic, taking) =>
          (taking.limit ?? 0) > BUS_TAKE_MAX ? read(topic, 1) : take(topic, taking),
      })),
  };
  expect(await findMissed(eventBusContract, broken)).toEqual([]);
});

describe("a tick", () => {
  test("is published as one when it is flushed, and refuses what comes after its end", async () => {
    const bus = memoryEventBus();
    const tick = beginTick(bus, "topic");
    tick.emit("one");
    tick.emit("two");
    expect(await bus.read("topic", 1)).toEqual([]);
    await Promise.all([tick.flush(), tick.flush()]);
    tick.emit("three");
    await tick.end();
    await tick.end();
    expect(() => tick.emit("four")).toThrow(RangeError);
    expect((await bus.read("topic", 1)).map(({ event }) => event)).toEqual(["one", "two", "three"]);
  });

  test("keeps what could not be published for the next flush", async () => {
    const bus = memoryEventBus();
    let isAway = true;
    const publish: EventBus["publish"] = async (topic, events) => {
      if (isAway) throw new Error("the server is away");
      return bus.publish(topic, events);
    };
    const tick = beginTick({ publish }, "topic");
    tick.emit("one");
    await expect(tick.flush()).rejects.toThrow("away");
    isAway = false;
    await tick.end();
    expect(await bus.read("topic", 1)).toEqual([{ number: 1, event: "one" }]);
  });

  test("has at most BUS_PUBLISH_MAX events between two flushes", () => {
    const tick = beginTick(memoryEventBus(), "topic");
    for (let count = 0; count < BUS_PUBLISH_MAX; count++) tick.emit(count);
    expect(() => tick.emit("more")).toThrow(RangeError);
  });
});
