/** Events for a group whose consumers are killed, on a server that is killed, too. */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openRedis } from "@turnseal/adapters/redis";
import type { EventBus } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import { startProcess } from "../kit/processes.ts";
import { startRedis } from "../values/start-redis.ts";

export interface BusRequest {
  readonly events: number;
  readonly consumers: number;
  /** How often a consumer is killed. */
  readonly kills: number;
  readonly say: (words: string) => void;
}

export interface BusFigures {
  readonly published: number;
  /** Events that were handed to somebody, each counted once. */
  readonly handed: number;
  /** Events that were handed out more than once: their consumer was killed, or the server was. */
  readonly again: number;
  /** Events that no consumer was handed. */
  readonly lost: number;
  /** Events that are not acknowledged in the end. */
  readonly left: number;
  /** Events that were handed out after an acknowledgement of them had been answered. */
  readonly doubled: number;
  /** Events with another number or content than the published one. */
  readonly changed: number;
  readonly consumersKilled: number;
  readonly serversKilled: number;
  readonly seconds: number;
}

/** Longer than any consumer that lives takes: what comes again was somebody's who was killed. */
const HOLD_MS = 4_000;
const TICK = 10;
const END_MS = 120_000;

type Told =
  | { readonly kind: "handed"; readonly number: number; readonly event: unknown }
  | { readonly kind: "acknowledged"; readonly numbers: readonly number[] };

export async function runBus(request: BusRequest): Promise<BusFigures> {
  const { events, say } = request;
  const startedMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "turnseal-bus-"));
  const server = await startRedis(folder);
  const redis = await openRedis({ url: server.url });
  const watch = createWatch();
  const bus = redis.openBus("acme");
  const group = startGroup(server.url, request, watch.hear);
  let left = events;
  try {
    const published = publishAll(bus, events);
    await watch.until(events / 2, END_MS);
    await server.kill();
    await server.start();
    await published;
    // Until what was somebody's who was killed has come again, and a while longer.
    await watch.untilQuiet(events, END_MS);
    say(`${watch.read().handed} events were handed out`);
    group.close();
    left = (await bus.take("topic", { group: "group", consumer: "last", holdMs: 1 })).length;
  } finally {
    group.close();
    redis.close();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  const { handed, again, doubled, changed } = watch.read();
  return {
    ...{ published: events, handed, again, lost: events - handed, left, doubled, changed },
    ...{ consumersKilled: group.countKilled(), serversKilled: 1 },
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
  };
}

/** Where nothing came again, nobody was killed with an event in hand, and nothing is shown. */
export function isKept(figures: BusFigures): boolean {
  const { lost, left, doubled, changed, consumersKilled, again } = figures;
  return lost + left + doubled + changed === 0 && consumersKilled > 0 && again > 0;
}

/** Publishes 1, 2, 3 and so on. Where it fails it looks whether they are there. */
async function publishAll(bus: EventBus, events: number): Promise<void> {
  for (let from = 1; from <= events; ) {
    const tick = Array.from({ length: Math.min(TICK, events - from + 1) }, (_, at) => from + at);
    try {
      const [there] = await bus.read("topic", from, 1);
      if (there === undefined) await bus.publish("topic", tick);
      from += tick.length;
      await sleep(2);
    } catch (error) {
      if (!isLoopError(error) || error.retry !== "retry") throw error;
      await sleep(50);
    }
  }
}

/** Consumers; one is killed every now and then, in the middle of its events. */
function startGroup(url: string, request: BusRequest, hear: (told: Told) => void) {
  const { events, consumers, kills } = request;
  const program = new URL("consumer.ts", import.meta.url);
  const children = new Set<ChildProcess>();
  const every = Math.max(1, Math.floor(events / (kills + 1)));
  let [handed, killed, isClosed] = [0, 0, false];
  const start = (index: number): void => {
    const child = startProcess(program, [url, `consumer-${index}`, String(HOLD_MS)]);
    children.add(child);
    child.on("message", (message) => {
      const told = message as Told;
      hear(told);
      if (told.kind === "handed" && ++handed % every === 0 && killed < kills) {
        killed++;
        child.kill("SIGKILL");
      }
    });
    child.on("exit", (_code, signal) => {
      children.delete(child);
      // A consumer that ends by itself is broken, and would be so again.
      if (signal !== "SIGKILL") isClosed = true;
      if (!isClosed) start(index);
    });
  };
  for (let index = 0; index < consumers; index++) start(index);
  return {
    countKilled: () => killed,
    close: () => {
      isClosed = true;
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

function createWatch() {
  const times = new Map<number, number>();
  const acknowledged = new Set<number>();
  let [doubled, changed, heardMs] = [0, 0, performance.now()];
  const wait = async (isThere: () => boolean, withinMs: number): Promise<void> => {
    for (const endMs = performance.now() + withinMs; !isThere(); await sleep(20))
      if (performance.now() > endMs) return;
  };
  return {
    hear: (told: Told): void => {
      heardMs = performance.now();
      if (told.kind === "acknowledged") {
        for (const number of told.numbers) acknowledged.add(number);
        return;
      }
      if (told.event !== told.number) changed++;
      if (acknowledged.has(told.number)) doubled++;
      times.set(told.number, (times.get(told.number) ?? 0) + 1);
    },
    until: (count: number, withinMs: number) => wait(() => times.size >= count, withinMs),
    untilQuiet: (count: number, withinMs: number) =>
      wait(() => times.size >= count && performance.now() - heardMs > 2 * HOLD_MS, withinMs),
    read: () => ({
      ...{ handed: times.size, doubled, changed },
      again: [...times.values()].filter((count) => count > 1).length,
    }),
  };
}
