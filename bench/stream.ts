/**
 * `npm run bench -- stream`: compares the time of a piece of an answer from the model to a watcher
 * with a bare relay of node:http. The relay sends the same pieces at the same pace from the same
 * process. They take turns, and the pieces of all rounds count. Also shows whether a watched turn
 * costs more the later it comes.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Benchmark, Figure } from "./report.ts";
import type { Relayed, Relays } from "./stream-worker.ts";
import { measureWatchedTurns } from "./watched-turns.ts";

interface Size {
  readonly subscribers: number;
  readonly pieces: number;
  readonly paceMs: number;
  readonly rounds: number;
  /** Where the goal is, as a part of the pieces that are at least as fast. */
  readonly goal: { readonly part: number; readonly ratio: number };
}

const SIZES: readonly Size[] = [
  { subscribers: 1, pieces: 200, paceMs: 3, rounds: 5, goal: { part: 0.5, ratio: 2 } },
  { subscribers: 1_000, pieces: 15, paceMs: 150, rounds: 3, goal: { part: 0.99, ratio: 5 } },
];
const GROWTH_GOAL = 1.2;

export const benchStream: Benchmark = async () => {
  const worker = fork(fileURLToPath(new URL("stream-worker.ts", import.meta.url)), {
    execArgv: ["--conditions=turnseal-source"],
  });
  const figures: Figure[] = [];
  try {
    const [relays] = (await once(worker, "message")) as [Relays];
    const send = async (relayed: Relayed): Promise<void> => {
      worker.send(relayed);
      await once(worker, "message");
    };
    for (const size of SIZES) figures.push(await compare(relays, size, send));
  } finally {
    worker.kill();
  }
  const { shortUs, longUs } = await measureWatchedTurns();
  figures.push({
    name: "a watched turn, of 1,000 against of 10",
    columns: { "of 10 us": shortUs, "of 1,000 us": longUs, ratio: longUs / shortUs },
    goal: { column: "ratio", atMost: GROWTH_GOAL },
  });
  return figures;
};

async function compare(
  relays: Relays,
  { subscribers, pieces, paceMs, rounds, goal }: Size,
  send: (relayed: Relayed) => Promise<void>,
): Promise<Figure> {
  const paths = { server: `${relays.server}/v1/runs/${relays.run}/stream`, floor: relays.floor };
  const delays = { server: [] as number[], floor: [] as number[] };
  // One more for both to get warm, which does not count.
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 === 0 ? (["floor", "server"] as const) : (["server", "floor"] as const);
    for (const by of order) {
      const heard = await listen(paths[by], subscribers, pieces * subscribers);
      await send({ by, pieces, paceMs });
      const measured = await heard.delaysMs;
      if (round >= 0) delays[by].push(...measured);
      for (const socket of heard.sockets) socket.destroy();
    }
  }
  const at = (by: "server" | "floor", part: number) => quantile(delays[by], part);
  return {
    name: `${subscribers.toLocaleString("en")} who watch`,
    columns: {
      "floor p50 ms": at("floor", 0.5),
      "p50 ms": at("server", 0.5),
      "floor p99 ms": at("floor", 0.99),
      "p99 ms": at("server", 0.99),
      [`p${goal.part * 100} ratio`]: at("server", goal.part) / at("floor", goal.part),
    },
    goal: { column: `p${goal.part * 100} ratio`, atMost: goal.ratio },
  };
}

interface Heard {
  readonly sockets: readonly Socket[];
  /** How long each piece took to each socket, once all have arrived or been stored. */
  readonly delaysMs: Promise<readonly number[]>;
}

async function listen(url: string, subscribers: number, expected: number): Promise<Heard> {
  const delays: number[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly number[]>();
  const hear = (chunk: string): void => {
    const nowNs = process.hrtime.bigint();
    for (const [, stampNs = "0"] of chunk.matchAll(/<(\d+)>/g))
      delays.push(Number(nowNs - BigInt(stampNs)) / 1e6);
    if (delays.length >= expected) resolve(delays);
  };
  // A piece that is overtaken by its stored message is not sent, and must not be waited for.
  let storedCount = 0;
  const hearStored = (): void => {
    storedCount += 1;
    if (storedCount === subscribers) resolve(delays);
  };
  const sockets: Socket[] = [];
  for (let opened = 0; opened < subscribers; opened++)
    sockets.push(await subscribe(url, { hear, hearStored }));
  return { sockets, delaysMs: promise };
}

/** Opens a stream, waits until it says how things stand, and hears the pieces from then on. */
async function subscribe(
  url: string,
  { hear, hearStored }: { hear: (chunk: string) => void; hearStored: () => void },
): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  socket.setEncoding("latin1");
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  let text = "";
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [string];
    text += chunk;
    if (text.includes("event: state")) break;
  }
  socket.on("data", (chunk: string) => {
    // The message that is stored afterwards has all the stamps again, and nobody waits for those.
    const at = chunk.indexOf("event: event");
    hear(at < 0 ? chunk : chunk.slice(0, at));
    if (chunk.includes('"type":"assistant-message"')) hearStored();
  });
  return socket;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
