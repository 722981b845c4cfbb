/**
 * Several workers behind one address, as behind a load balancer: connections are dealt out in turn
 * among those whose `/health` answers 200, and a worker that has ended is started again.
 */
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "@turnseal/runtime/engine";
import type { CommandWorld, Running } from "./command-world.ts";

export interface CrewOptions {
  readonly world: CommandWorld;
  /** The options and the environment of each worker. */
  readonly workers: readonly WorkerStart[];
}

export interface WorkerStart {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Crew {
  readonly url: string;
  /** The doors of the workers, in order. */
  readonly doors: readonly string[];
  /** Every line that the workers have logged. */
  said(): readonly Record<string, unknown>[];
  /** Breaks every connection, so that the engine is given to the next worker. */
  cut(): void;
  /** How each worker ended that has ended by itself. */
  readonly ends: readonly (number | string | null)[];
  close(): Promise<void>;
}

/** How long a supervisor waits before it starts a worker again. */
const RESTART_MS = 500;
/** How often the load balancer asks for the health of a worker, and how long it waits. */
const HEALTH_EVERY_MS = 500;

interface Member {
  readonly port: number;
  readonly door: string;
  isHealthy: boolean;
  running: Running;
}

export async function startCrew({ world, workers }: CrewOptions): Promise<Crew> {
  const state = { isClosed: false, out: "" };
  const ends: (number | string | null)[] = [];
  const startOne = async ({ args, environment = {} }: WorkerStart): Promise<Member> => {
    const [port, doorPort] = [await findFreePort(), await findFreePort()];
    const own = ["--port", String(port), "--metrics-port", String(doorPort)];
    const launch = (): Running => {
      const running = world.start(["worker", ...args, ...own], environment);
      running.child.once("exit", (code, signal) => {
        state.out += running.out();
        if (state.isClosed) return;
        ends.push(code ?? signal);
        void sleep(RESTART_MS).then(() => {
          if (!state.isClosed) member.running = launch();
        });
      });
      return running;
    };
    const door = `http://127.0.0.1:${doorPort}`;
    const member: Member = { port, door, isHealthy: false, running: launch() };
    return member;
  };
  const members = await Promise.all(workers.map(startOne));
  const watching = members.map(async (member) => {
    while (!state.isClosed) {
      const signal = AbortSignal.timeout(HEALTH_EVERY_MS);
      member.isHealthy = await fetch(`${member.door}/health`, { signal }).then(
        ({ status }) => status === 200,
        () => false,
      );
      await sleep(HEALTH_EVERY_MS);
    }
  });
  const balancer = await openBalancer(members);
  while (!members.every(({ isHealthy }) => isHealthy)) await sleep(50);
  return {
    url: `http://127.0.0.1:${balancer.port}`,
    doors: members.map(({ door }) => door),
    said: () => {
      const alive = members.map(({ running }) =>
        running.child.exitCode === null && running.child.signalCode === null ? running.out() : "",
      );
      return readLines(state.out + alive.join(""));
    },
    ends,
    cut: balancer.cut,
    close: async () => {
      state.isClosed = true;
      balancer.close();
      for (const { running } of members) running.child.kill("SIGKILL");
      await Promise.all([...watching, ...members.map(({ running }) => running.ended)]);
    },
  };
}

function readLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function openBalancer(members: readonly Member[]) {
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const healthy = members.filter(({ isHealthy }) => isHealthy);
    const member = healthy[turn++ % Math.max(1, healthy.length)];
    if (member === undefined) return void client.destroy();
    const worker = connect(member.port, "127.0.0.1");
    for (const [one, other] of [[client, worker] as const, [worker, client] as const]) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", () => resume()));
  const address = server.address();
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cut,
    close: () => {
      server.close();
      cut();
    },
  };
}
