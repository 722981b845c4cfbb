/**
 * Measures the memory of a server for idle watchers: 10,000 open streams on one process, measured
 * from outside. The streams are opened from here, and each has received the state of its run before
 * it counts.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { operand, wholeNumber } from "../tools/command/options.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import type { Benchmark } from "./report.ts";
import type { HeldMemory, ServedRuns } from "./subscribers-worker.ts";

/** Open streams, and how many of them watch the same run. */
export const SUBSCRIBERS = 10_000;
const SUBSCRIBERS_PER_RUN = 10;
/** The most that a process may hold for all of them, above what it holds for none. */
export const SUBSCRIBERS_BYTES_MAX = 400_000_000;

const MB = 1_000_000;
const KB = 1_000;
/** Streams that are being opened at the same time. */
const OPENING_MAX = 200;

export const subscribersSizes = {
  count: operand(
    wholeNumber({ takes: "count", says: "open streams", default: SUBSCRIBERS, atLeast: 1 }),
    "optional",
  ),
};
type SubscribersSizes = ValuesOf<typeof subscribersSizes>;

export const benchSubscribers: Benchmark<SubscribersSizes> = async ({ count }) => {
  const { grownBytes, streams, told, openedMs } = await measureSubscribers(count);
  return [
    {
      name: "open streams",
      columns: { count: streams, "told a message": told, "to open, s": openedMs / 1_000 },
    },
    {
      name: "memory of all",
      columns: { MB: grownBytes / MB },
      goal: { column: "MB", atMost: SUBSCRIBERS_BYTES_MAX / MB },
    },
    { name: "memory of each", columns: { KB: grownBytes / KB / streams } },
  ];
};

/** Opens streams, measures, and sees that one word still reaches everybody who watches its run. */
async function measureSubscribers(count: number) {
  const file = fileURLToPath(new URL("subscribers-worker.ts", import.meta.url));
  const runsCount = Math.ceil(count / SUBSCRIBERS_PER_RUN);
  const worker = fork(file, [String(runsCount)], { execArgv: ["--conditions=turnseal-source"] });
  const sockets: Subscriber[] = [];
  try {
    const [served] = (await once(worker, "message")) as [ServedRuns];
    const before = await askMemory(worker);
    const startedAt = performance.now();
    for (let opened = 0; opened < count; opened += OPENING_MAX) {
      const size = Math.min(OPENING_MAX, count - opened);
      const runs = Array.from({ length: size }, (_, index) => runOf(served, opened + index));
      sockets.push(...(await Promise.all(runs.map((run) => subscribe(served.url, run)))));
    }
    const openedMs = performance.now() - startedAt;
    const after = await askMemory(worker);
    const watchers = sockets.slice(0, SUBSCRIBERS_PER_RUN);
    const hearing = watchers.map(({ hear }) => hear("assistant-message"));
    await sayHello(served);
    const told = await Promise.all(hearing);
    return {
      grownBytes: after.residentBytes - before.residentBytes,
      streams: after.streams,
      told: told.length,
      openedMs,
    };
  } finally {
    for (const { socket } of sockets) socket.destroy();
    worker.kill();
  }
}

function runOf({ runs }: ServedRuns, index: number): string {
  return runs[Math.floor(index / SUBSCRIBERS_PER_RUN)] ?? "";
}

async function askMemory(worker: ChildProcess): Promise<HeldMemory> {
  worker.send("measure");
  const [held] = (await once(worker, "message")) as [HeldMemory];
  return held;
}

interface Subscriber {
  readonly socket: Socket;
  /** Waits for a word in what comes from now on. */
  hear(word: string): Promise<void>;
}

/** Opens a stream, and waits until it has said how the run stands. */
async function subscribe(url: string, run: string): Promise<Subscriber> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const hear = (word: string): Promise<void> =>
    new Promise((resolve, reject) => {
      let text = "";
      const listen = (chunk: Buffer): void => {
        text += chunk.toString();
        if (!text.includes(word)) return;
        socket.off("data", listen).off("error", reject).off("close", reject);
        // Unread data is thrown away, and not kept for later.
        socket.resume();
        resolve();
      };
      socket.on("data", listen).once("error", reject).once("close", reject);
    });
  const standing = hear("event: state");
  socket.write(`GET /v1/runs/${run}/stream HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  await standing;
  return { socket, hear };
}

async function sayHello({ url, runs: [run = ""] }: ServedRuns): Promise<void> {
  await fetch(`${url}/v1/runs/${run}/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "hello again", key: "again" }),
  });
}
