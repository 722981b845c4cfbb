import {
  type Append,
  INLINE_BLOB_BYTES_MAX,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import { checkChain, EMPTY_HEAD } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { type AppenderOptions, createAppender } from "./appender.ts";
import { createContent } from "./content.ts";

async function open(
  change: (stores: Stores) => Stores = (stores) => stores,
  more: Pick<AppenderOptions, "refuse"> = {},
) {
  const clock = manualClock();
  const plain = memoryStores(clock);
  const appends: Append[] = [];
  const order: string[] = [];
  const stores = change({
    ...plain,
    blobs: {
      ...plain.blobs,
      put: (run, blob) => {
        order.push(`put ${blob.size}`);
        return plain.blobs.put(run, blob);
      },
    },
    log: {
      ...plain.log,
      append: (append) => {
        appends.push(append);
        order.push(`append ${append.events.length}`);
        return plain.log.append(append);
      },
    },
  });
  const { epoch, head } = await stores.log.takeEpoch("a");
  const appender = createAppender({
    run: "a",
    epoch,
    head,
    lastMs: 0,
    stores,
    clock,
    ids: seededIds("x"),
    content: createContent("a", new Uint8Array(32), stores.blobs),
    fold: () => {},
    snapshot: () => ({ run: "a", sequence: 0, state: {} }),
    ...more,
  });
  return { appender, appends, order, clock, stores };
}

const note = (what: string) => () =>
  ({ type: "run.blocked", content: { cause: "error", what } }) as const;

const say = (message: string) => () =>
  ({ type: "log", turn: 1, call: "c", content: { level: "info" }, attached: { message } }) as const;

test("events are numbered and chained as they are pushed, and written as one append", async () => {
  const { appender, appends, stores } = await open();
  const first = appender.push(note("one"));
  const second = appender.push(note("two"));
  expect([first.sequence, second.sequence]).toEqual([1, 2]);
  expect(second.previous).toBe(first.hash);
  expect(appends).toEqual([]);
  await appender.flush();
  expect(appends).toHaveLength(1);
  const events = await stores.log.read("a", 1);
  expect(checkChain("a", EMPTY_HEAD, events).kind).toBe("intact");
  expect(events.map(({ actor }) => actor.kind)).toEqual(["kernel", "kernel"]);
});

test("a flush with nothing in line writes nothing", async () => {
  const { appender, appends } = await open();
  await appender.flush();
  expect(appends).toEqual([]);
});

test("times never go backwards, whatever the clock does", async () => {
  const { appender, clock } = await open();
  const first = appender.push(note("one"));
  clock.jump(clock.now() - 60_000);
  expect(appender.push(note("two")).at).toBe(first.at);
  expect(appender.lastMs()).toBe(Date.parse(first.at));
});

test("content is in the append, and an event only names it", async () => {
  const { appender, appends } = await open();
  const event = appender.push(say("secret"));
  await appender.flush();
  expect(JSON.stringify(event)).not.toContain("secret");
  expect(appends[0]?.blobs).toHaveLength(1);
  expect(event.content.message).toMatchObject({ size: 8, mediaType: "application/json" });
});

test("a blob above INLINE_BLOB_BYTES_MAX is stored before the append", async () => {
  const { appender, order } = await open();
  const text = "x".repeat(INLINE_BLOB_BYTES_MAX - 2);
  appender.push(say(text));
  await appender.flush();
  expect(order).toEqual(["append 1"]);
  appender.push(say(`${text}y`));
  await appender.flush();
  expect(order.slice(1)).toEqual([`put ${INLINE_BLOB_BYTES_MAX + 1}`, "append 1"]);
});

test("flushes never overlap: what is pushed meanwhile waits for the next append", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { appender, appends } = await open((stores) => ({
    ...stores,
    log: {
      ...stores.log,
      append: async (append) => {
        if (append.events[0]?.sequence === 1) await held;
        return stores.log.append(append);
      },
    },
  }));
  appender.push(note("one"));
  const first = appender.flush();
  appender.push(note("two"));
  const second = appender.flush();
  await Promise.resolve();
  expect(appends).toEqual([]);
  release();
  await Promise.all([first, second]);
  expect(appends.map(({ events }) => events.length)).toEqual([1, 1]);
});

test("a writer whose epoch is over is fenced, and writes nothing after that", async () => {
  const { appender, stores, appends } = await open();
  await stores.log.takeEpoch("a");
  appender.push(note("one"));
  await expect(appender.flush()).rejects.toMatchObject({ code: "LOG_FENCED" });
  appender.push(note("two"));
  await expect(appender.flush()).rejects.toMatchObject({ code: "LOG_FENCED" });
  expect(appends).toHaveLength(1);
  expect(await stores.log.read("a", 1)).toEqual([]);
});

test("a writer that finds another head is in conflict, and stays so", async () => {
  const { appender, stores } = await open((plain) => ({
    ...plain,
    log: {
      ...plain.log,
      append: async () => ({ kind: "conflict", head: { sequence: 7, hash: "x" } }),
    },
  }));
  appender.push(note("one"));
  await expect(appender.flush()).rejects.toMatchObject({ code: "LOG_CONFLICT" });
  expect(await stores.log.read("a", 1)).toEqual([]);
});

test("an append that is there already counts as written", async () => {
  const { appender } = await open((plain) => ({
    ...plain,
    log: { ...plain.log, append: async () => ({ kind: "duplicate", inboxIsEmpty: true }) },
  }));
  appender.push(note("one"));
  await expect(appender.flush()).resolves.toBeUndefined();
});

test("a write that failed stays failed: nothing after it is written", async () => {
  let isFirst = true;
  const { appender, appends } = await open((stores) => ({
    ...stores,
    log: {
      ...stores.log,
      append: (append) => {
        if (isFirst) {
          isFirst = false;
          throw new Error("the disk is full");
        }
        return stores.log.append(append);
      },
    },
  }));
  appender.push(note("one"));
  await expect(appender.flush()).rejects.toThrow("the disk is full");
  appender.push(note("two"));
  await expect(appender.flush()).rejects.toThrow("the disk is full");
  expect(appends).toEqual([]);
});

test("rows and the receipt go with the events in line, and only with them", async () => {
  const { appender, appends } = await open();
  appender.push(note("one"));
  appender.consume("row");
  const envelope = { payloadType: "x", payload: "", signatures: [] } as never;
  appender.seal({ run: "a", turn: 1, id: "r", envelope });
  await appender.flush();
  appender.push(note("two"));
  await appender.flush();
  expect(appends.map(({ consumed }) => consumed)).toEqual([["row"], []]);
  expect(appends.map(({ receipt }) => receipt?.id)).toEqual(["r", undefined]);
});

test("what was pushed since the mark is at hand, durable or not", async () => {
  const { appender } = await open();
  appender.push(note("one"));
  appender.mark();
  const second = appender.push(note("two"));
  await appender.flush();
  const third = appender.push(note("three"));
  expect(appender.sinceMark()).toEqual([second, third]);
});

test("what follows a time that has come is not before it, whatever the clock says", async () => {
  const { appender, clock } = await open();
  const nowMs = clock.now();
  appender.reach(nowMs);
  clock.jump(nowMs - 5_000);
  expect(Date.parse(appender.push(note("one")).at)).toBe(nowMs);
  appender.reach(nowMs - 1);
  expect(Date.parse(appender.push(note("two")).at)).toBe(nowMs);
});

test("an event that breaks a rule is not pushed, and nothing of it is written", async () => {
  const refuse = ({ type }: { readonly type: string }) => (type === "log" ? "the rule" : undefined);
  const { appender, appends, stores } = await open(undefined, { refuse });
  const first = appender.push(note("one"));
  expect(() => appender.push(say("no"))).toThrow(
    expect.objectContaining({
      code: "LOG_RULE_BROKEN",
      message: "log is not appended: it breaks the rule",
    }),
  );
  const second = appender.push(note("two"));
  expect(second.previous).toBe(first.hash);
  await appender.flush();
  expect(await stores.log.read("a", 1)).toEqual([first, second]);
  expect(appends.map(({ blobs }) => blobs.length)).toEqual([0]);
});
