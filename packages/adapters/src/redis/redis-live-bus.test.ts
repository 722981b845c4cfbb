import { LIVE_MESSAGES_MAX, LIVE_TEXT_LENGTH_MAX, type LiveBus } from "@turnseal/ports";
import { liveBusContract } from "@turnseal/ports/contracts";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { describe, expect, test } from "vitest";
import { openRedis } from "./open-redis.ts";
import { LIVE_JOIN_MS_MAX, LIVE_KEPT_MS } from "./redis-live-bus.ts";
import { openNetwork, openScratchRedis, until } from "./scratch-redis.test.data.ts";

describe("two processes that share a server keep the contract", () => {
  const create = async () => {
    const scratch = await openScratchRedis();
    const [writer, watcher] = [await scratch.openTenant(), await scratch.openTenant()];
    return { writer: writer.live, watcher: watcher.live };
  };
  for (const { name, run } of liveBusContract({ create })) test(name, run);
});

const RUN = "00000000-0000-4000-8000-000000000001";

const piece = (part: Partial<LiveDelta>): LiveDelta => ({
  ...{ run: RUN, turn: 1, kind: "text", key: "a", part: 0, epoch: 1, offset: 0, text: "x" },
  ...part,
});

/** Watches, and returns the pieces so far. */
async function listen(bus: LiveBus) {
  const heard: LiveDelta[] = [];
  let moves = 0;
  const watch = bus.watch(RUN, {
    delta: (delta) => void heard.push(delta),
    moved: () => {
      moves += 1;
    },
  });
  await watch.ready;
  const text = (): string => heard.map((delta) => delta.text).join("");
  return { heard, text, moves: () => moves, close: watch.close };
}

test("a text that is cut within a character arrives whole, also for who joins", async () => {
  const scratch = await openScratchRedis();
  const { live } = await scratch.openTenant();
  const first = await listen(live);
  const whole = 'a "quoted" \\ line\n\u0000 \u{1F600}!';
  for (const [offset, text] of whole.split("").entries()) live.publish(piece({ offset, text }));
  await until(() => first.text() === whole);
  const second = await listen(live);
  expect(second.heard).toEqual([piece({ text: whole })]);
});

test("what is kept ends by itself", async () => {
  const scratch = await openScratchRedis();
  const { live } = await scratch.openTenant();
  const watching = await listen(live);
  live.publish(piece({}));
  await until(() => watching.heard.length > 0);
  const keys = await scratch.keys();
  expect(keys).toHaveLength(2);
  for (const key of keys) {
    const leftMs = Number(await scratch.ask("PTTL", key));
    expect(leftMs).toBeGreaterThan(LIVE_KEPT_MS - 60_000);
    expect(leftMs).toBeLessThanOrEqual(LIVE_KEPT_MS);
  }
});

test("a finished message leaves no text behind", async () => {
  const scratch = await openScratchRedis();
  const { live } = await scratch.openTenant();
  live.publish(piece({}));
  live.publish(piece({ part: 1, kind: "reasoning" }));
  live.publish(piece({ key: "b" }));
  await until(async () => (await scratch.keys()).length === 4);
  live.finish({ run: RUN, key: "a" });
  await until(async () => (await scratch.keys()).length === 2);
  expect((await listen(live)).heard).toEqual([piece({ key: "b" })]);
});

test("a text of LIVE_TEXT_LENGTH_MAX is kept for who joins, and a longer one is not", async () => {
  const scratch = await openScratchRedis();
  const { live } = await scratch.openTenant();
  const watching = await listen(live);
  const text = "x".repeat(LIVE_TEXT_LENGTH_MAX);
  live.publish(piece({ text }));
  await until(() => watching.heard.length === 1);
  expect((await listen(live)).text()).toHaveLength(LIVE_TEXT_LENGTH_MAX);
  live.publish(piece({ offset: text.length, text: "y" }));
  await until(() => watching.heard.length === 2);
  expect((await listen(live)).heard).toEqual([]);
});

test("LIVE_MESSAGES_MAX messages of a run are kept, and one more is only told", async () => {
  const scratch = await openScratchRedis();
  const { live } = await scratch.openTenant();
  const watching = await listen(live);
  for (let part = 0; part <= LIVE_MESSAGES_MAX; part++) live.publish(piece({ part }));
  await until(() => watching.heard.length === LIVE_MESSAGES_MAX + 1);
  expect((await listen(live)).heard).toHaveLength(LIVE_MESSAGES_MAX);
});

test("a piece of an attempt that is void, and one that does not fit, is not kept", async () => {
  const scratch = await openScratchRedis();
  const { live } = await scratch.openTenant();
  const watching = await listen(live);
  live.publish(piece({ epoch: 2, text: "new" }));
  live.publish(piece({ epoch: 1, offset: 3, text: "old" }));
  live.publish(piece({ key: "b", text: "abc" }));
  live.publish(piece({ key: "b", offset: 5, text: "f" }));
  await until(() => watching.heard.length === 3);
  expect(watching.heard.map(({ text }) => text)).toEqual(["new", "abc", "f"]);
  expect((await listen(live)).heard.map(({ text }) => text)).toEqual(["new"]);
});

test("what is not a piece on the channel is not told", async () => {
  const scratch = await openScratchRedis();
  const { live } = await scratch.openTenant();
  const watching = await listen(live);
  const channel = `${scratch.prefix}acme:live:{${RUN}}`;
  for (const message of ["", "1", "1 {}", "x {", `9e99 ${JSON.stringify(piece({}))}`, "null null"])
    await scratch.ask("PUBLISH", channel, message);
  live.publish(piece({}));
  await until(() => watching.heard.length > 0);
  expect(watching.heard).toEqual([piece({})]);
});

describe("while the server is away", () => {
  test("nobody who publishes notices, and who joins is not kept waiting", async () => {
    const redis = await openRedis({ url: "redis://127.0.0.1:1", prefix: "nowhere:" });
    const { live } = redis.forTenant("acme");
    const startedAt = performance.now();
    for (let count = 0; count < 1_000; count++) live.publish(piece({ offset: count }));
    live.moved(RUN);
    live.finish({ run: RUN, key: "a" });
    expect(performance.now() - startedAt).toBeLessThan(500);
    const watching = await listen(live);
    expect(performance.now() - startedAt).toBeLessThan(LIVE_JOIN_MS_MAX + 1_000);
    expect(watching.heard).toEqual([]);
    watching.close();
    redis.close();
  });

  test("pieces are lost, and when it is back who watches is told what is missing", async () => {
    const scratch = await openScratchRedis();
    const network = await openNetwork();
    const writer = (await scratch.openTenant()).live;
    const watcher = (await scratch.openTenant({ url: network.url })).live;
    const watching = await listen(watcher);
    writer.publish(piece({ text: "one " }));
    await until(() => watching.text() === "one ");
    network.cut();
    writer.publish(piece({ offset: 4, text: "two " }));
    writer.publish(piece({ key: "b", text: "another" }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(watching.heard).toHaveLength(1);
    const movesBefore = watching.moves();
    network.mend();
    await until(() => watching.heard.length === 3);
    expect(watching.heard.slice(1)).toEqual([
      piece({ offset: 4, text: "two " }),
      piece({ key: "b", text: "another" }),
    ]);
    expect(watching.moves()).toBeGreaterThan(movesBefore);
    writer.publish(piece({ offset: 8, text: "three" }));
    await until(() => watching.heard.length === 4);
    expect(watching.heard[3]).toEqual(piece({ offset: 8, text: "three" }));
    await network.close();
  });

  test("a watch that begins without a server hears what comes once there is one", async () => {
    const scratch = await openScratchRedis();
    const network = await openNetwork();
    network.cut();
    const watcher = (await scratch.openTenant({ url: network.url })).live;
    const watching = await listen(watcher);
    const writer = (await scratch.openTenant()).live;
    writer.publish(piece({ text: "before " }));
    network.mend();
    await until(() => watching.text() === "before ");
    writer.publish(piece({ offset: 7, text: "after" }));
    await until(() => watching.text() === "before after");
    await network.close();
  });

  test("a server that does not answer keeps nobody waiting", async () => {
    const scratch = await openScratchRedis();
    const network = await openNetwork();
    const { live } = await scratch.openTenant({ url: network.url });
    network.freeze();
    const startedAt = performance.now();
    live.publish(piece({}));
    await listen(live);
    expect(performance.now() - startedAt).toBeLessThan(LIVE_JOIN_MS_MAX + 1_000);
    await network.close();
  });

  test("scripts that somebody has removed are put back", async () => {
    const scratch = await openScratchRedis();
    const { live } = await scratch.openTenant();
    const watching = await listen(live);
    await scratch.ask("SCRIPT", "FLUSH");
    live.publish(piece({ text: "lost" }));
    await until(() => {
      live.publish(piece({ key: "b", text: "told" }));
      return watching.heard.some(({ key }) => key === "b");
    });
    expect(watching.heard.some(({ text }) => text === "lost")).toBe(false);
  });
});
