import type { LiveDelta } from "@turnseal/protocol/streaming";
import { expect, test } from "vitest";
import { findMissed } from "../find-missed.test.data.ts";
import type { LiveBus, LiveListener } from "./live-bus.ts";
import { type LiveBusSubject, liveBusContract } from "./live-bus-contract.ts";
import {
  LIVE_MESSAGES_MAX,
  LIVE_RUNS_MAX,
  LIVE_TEXT_LENGTH_MAX,
  memoryLiveBus,
} from "./memory-live-bus.ts";

const create = (change: (bus: LiveBus) => Partial<LiveBus> = () => ({})): LiveBusSubject => {
  const bus = memoryLiveBus();
  const changed = { ...bus, ...change(bus) };
  return { writer: changed, watcher: changed };
};

for (const { name, run } of liveBusContract({ create: () => create() })) test(name, run);

/** A bus with changed listeners. */
const hearing = (change: (listener: LiveListener) => Partial<LiveListener>) => () =>
  create((bus) => ({
    watch: (run, listener) => bus.watch(run, { ...listener, ...change(listener) }),
  }));

const broken: Readonly<Record<string, () => LiveBusSubject>> = {
  "every piece is told once, in order": hearing((listener) => ({
    delta: (delta) => {
      listener.delta(delta);
      if (delta.offset === 8) listener.delta(delta);
    },
  })),
  "a watcher that joins late gets the written part, then the rest": () =>
    create((bus) => ({
      watch: (run, listener) => {
        let isJoining = true;
        const delta = (told: LiveDelta) => isJoining || listener.delta(told);
        const watch = bus.watch(run, { ...listener, delta });
        isJoining = false;
        return watch;
      },
    })),
  "pieces that are written while somebody joins are neither lost nor told twice": () =>
    create((bus) => ({
      watch: (run, listener) => {
        // Told at once, watched only in a moment.
        bus.watch(run, listener).close();
        let close = () => {};
        setTimeout(() => {
          let isJoining = true;
          const delta = (told: LiveDelta) => isJoining || listener.delta(told);
          ({ close } = bus.watch(run, { ...listener, delta }));
          isJoining = false;
        }, 5);
        return { ready: Promise.resolve(), close: () => close() };
      },
    })),
  "messages of one run are kept apart by key, part and kind": () =>
    create((bus) => ({ publish: (delta) => bus.publish({ ...delta, part: 0 }) })),
  "a finished message is not told to those who join later": () => create(() => ({ finish() {} })),
  "an attempt that begins again makes the text of the earlier one void": () =>
    create((bus) => ({ publish: (delta) => delta.epoch > 1 || bus.publish(delta) })),
  "a run hears nothing of another": () => {
    const bus = memoryLiveBus();
    const runs = new Set<string>();
    const all: LiveBus = {
      ...bus,
      moved: () => {
        for (const run of runs) bus.moved(run);
      },
      watch: (run, listener) => {
        runs.add(run);
        return bus.watch(run, listener);
      },
    };
    return { writer: all, watcher: all };
  },
  "everybody who watches hears that the log has grown": () => {
    let hasOne = false;
    return hearing((listener) => {
      const isFirst = !hasOne;
      hasOne = true;
      return { moved: () => (isFirst ? listener.moved() : undefined) };
    })();
  },
  "a watch that is closed hears nothing more, and the others do": () =>
    create((bus) => ({
      watch: (run, listener) => ({ ...bus.watch(run, listener), close() {} }),
    })),
  "a listener that throws disturbs nobody": () => {
    const told = new Set<LiveListener>();
    const bus: LiveBus = {
      publish: (delta) => {
        for (const listener of told) listener.delta(delta);
      },
      moved: () => {
        for (const listener of told) listener.moved();
      },
      finish() {},
      watch: (_, listener) => {
        told.add(listener);
        return { ready: Promise.resolve(), close: () => told.delete(listener) };
      },
    };
    return { writer: bus, watcher: bus };
  },
};

test("every sentence finds a bus that does not keep it", { timeout: 60_000 }, async () => {
  expect(await findMissed(liveBusContract, broken)).toEqual([]);
});

const RUN = "00000000-0000-4000-8000-000000000001";
const piece = (part: Partial<LiveDelta>): LiveDelta => ({
  run: RUN,
  turn: 1,
  kind: "text",
  key: "a",
  part: 0,
  epoch: 1,
  offset: 0,
  text: "x",
  ...part,
});

/** Returns the pieces that a new watcher gets. */
function join(bus: LiveBus, run = RUN): LiveDelta[] {
  const heard: LiveDelta[] = [];
  bus.watch(run, { delta: (delta) => void heard.push(delta), moved() {} }).close();
  return heard;
}

test("a text of LIVE_TEXT_LENGTH_MAX is kept for those who join, and a longer one is not", () => {
  const bus = memoryLiveBus();
  const text = "x".repeat(LIVE_TEXT_LENGTH_MAX - 1);
  bus.publish(piece({ text }));
  bus.publish(piece({ offset: text.length, text: "y" }));
  expect(join(bus).map((told) => told.text.length)).toEqual([LIVE_TEXT_LENGTH_MAX]);
  const later: LiveDelta[] = [];
  bus.watch(RUN, { delta: (delta) => void later.push(delta), moved() {} });
  bus.publish(piece({ offset: LIVE_TEXT_LENGTH_MAX, text: "z" }));
  expect(join(bus)).toEqual([]);
  expect(later.at(-1)?.text).toBe("z");
});

test("LIVE_MESSAGES_MAX messages of a run are kept; with one more the oldest goes", () => {
  const bus = memoryLiveBus();
  for (let part = 0; part < LIVE_MESSAGES_MAX; part++) bus.publish(piece({ part }));
  expect(join(bus)).toHaveLength(LIVE_MESSAGES_MAX);
  bus.publish(piece({ part: LIVE_MESSAGES_MAX }));
  expect(join(bus).map(({ part }) => part)).toEqual(
    Array.from({ length: LIVE_MESSAGES_MAX }, (_, index) => index + 1),
  );
});

test("messages of LIVE_RUNS_MAX runs are kept; with one more the oldest run's go", () => {
  const bus = memoryLiveBus();
  for (let run = 0; run < LIVE_RUNS_MAX; run++) bus.publish(piece({ run: `run ${run}` }));
  expect([join(bus, "run 0"), join(bus, "run 1")].map(({ length }) => length)).toEqual([1, 1]);
  bus.publish(piece({ run: "one more" }));
  expect([join(bus, "run 0"), join(bus, "run 1")].map(({ length }) => length)).toEqual([0, 1]);
});

test("a piece of an attempt that is void is told to nobody", () => {
  const bus = memoryLiveBus();
  const heard: LiveDelta[] = [];
  bus.publish(piece({ epoch: 2, text: "new" }));
  bus.watch(RUN, { delta: (delta) => void heard.push(delta), moved() {} });
  bus.publish(piece({ epoch: 1, offset: 3, text: "old" }));
  expect(heard.map(({ text }) => text)).toEqual(["new"]);
  expect(join(bus).map(({ text }) => text)).toEqual(["new"]);
});

test("after a gap the message is not told to those who join: its beginning would not fit", () => {
  const bus = memoryLiveBus();
  bus.publish(piece({ text: "abc" }));
  bus.publish(piece({ offset: 5, text: "f" }));
  expect(join(bus)).toEqual([]);
});
