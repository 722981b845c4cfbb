// Workers that refuse their engine, beside one that does not, behind one address.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresStores, type PostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import { createMemorySigner } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";
import {
  createIdentity,
  createPost,
  type Engine,
  identityKeyOf,
  startEngine,
} from "@turnseal/runtime/engine";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  askServer,
  type CommandWorld,
  IDENTITY,
  openCommandWorld,
  statusOf,
  until,
} from "./command-world.ts";
import { type Crew, startCrew, type WorkerStart } from "./shared-address.ts";

const LOOPS = `
export const rest = {
  definition: {
    id: "rest", name: "rest", version: "1.0.0", kind: "tool", inputSchema: true,
    outputSchema: true, tool: { implementation: "local.rest" }, policy: { timeoutMs: 60000 },
  },
  run: async () => {
    await new Promise((resume) => setTimeout(resume, 100));
    return {};
  },
  declared: { effect: "idempotent" },
};
`;

/** Puts the clock of a process ahead, as long as a file is there. */
const CLOCK = `
import { existsSync } from "node:fs";
const OwnDate = Date;
let aheadMs = 0;
setInterval(() => {
  aheadMs = existsSync(process.env.AHEAD_FILE) ? 90_000 : 0;
}, 50).unref();
globalThis.Date = class extends OwnDate {
  constructor(...given) {
    super(...(given.length === 0 ? [OwnDate.now() + aheadMs] : given));
  }
  static now() {
    return OwnDate.now() + aheadMs;
  }
};
`;

/** By then the fleet moves again. */
const MOVES_WITHIN_MS = 10_000;
/** How long a worker stays away at first, and what it takes to be seen again. */
const BACK_WITHIN_MS = 30_000;
const RUNS = 10;

let world: CommandWorld;
let engine: Engine;
let crew: Crew | undefined;
let host: LocalHost;
let rest: Loop<object, unknown>;
let stores: PostgresStores;

beforeEach(async () => {
  world = openCommandWorld();
  const folder = join(world.folder, "engine");
  mkdirSync(folder);
  writeFileSync(join(folder, "identity.pem"), IDENTITY.pem);
  writeFileSync(join(world.folder, "loops.mjs"), LOOPS);
  writeFileSync(join(world.folder, "clock.mjs"), CLOCK);
  engine = await startEngine({ folder });
  await askServer(`create database ${new URL(world.databaseUrl).pathname.slice(1)}`);
  await world.run(["migrate", "--postgres", world.databaseUrl]);
  ({ rest } = await import(join(world.folder, "loops.mjs")));
  stores = await openPostgresStores({ url: world.databaseUrl, tenant: "default" });
  const post = createPost(60_000);
  const { put } = createIngress({ ingress: engine.ingress, tenant: "default", post });
  host = createLocalHost({ loops: [rest], stores, signer: await createMemorySigner(), put });
});
afterEach(async () => {
  await crew?.close();
  crew = undefined;
  await stores?.close();
  await engine?.kill();
  await world?.close();
});

const aheadOf = (index: number): string => join(world.folder, `ahead-${index}`);

/** A worker whose clock can be put ahead. */
function startOf(index: number, key: string = IDENTITY.key): WorkerStart {
  return {
    args: [
      ...["--from", "loops.mjs", "--postgres", world.databaseUrl, "--admin", engine.admin],
      ...["--identity-key", key, "--tenant", "default"],
    ],
    environment: {
      NODE_OPTIONS: `--import ${join(world.folder, "clock.mjs")}`,
      AHEAD_FILE: aheadOf(index),
    },
  };
}

async function openCrew(workers: readonly WorkerStart[]): Promise<Crew> {
  const opened = await startCrew({ world, workers });
  crew = opened;
  const place = ["--admin", engine.admin, "--postgres", world.databaseUrl];
  const register = ["deploy", "register", "--url", opened.url, "--from", "loops.mjs", ...place];
  // The engine may be given to a worker that refuses it.
  const registered = await until(async () => {
    const done = await world.run(register);
    return done.code === 0 ? done : undefined;
  });
  const name = /[0-9a-f]{16}/.exec(registered.out)?.[0] ?? "";
  expect(await world.run(["deploy", "promote", name, ...place])).toMatchObject({ code: 0 });
  return opened;
}

/** How long it takes until runs that are started at once are done. */
async function measureMove(): Promise<number> {
  const atMs = Date.now();
  const grant = { grantor: "ada", tools: ["local.rest"], budget: {} };
  const one = async (): Promise<void> => {
    const run = await host.start(rest, {}, { grant });
    await until(async () => (await host.show(run))?.stopped ?? undefined, 2 * MOVES_WITHIN_MS);
  };
  await Promise.all(Array.from({ length: RUNS }, one));
  return Date.now() - atMs;
}

test("a worker whose clock is wrong leaves the address, says so, and comes back", async () => {
  const { doors, said } = await openCrew([startOf(0), startOf(1)]);
  await measureMove();
  // Of the two, one has the engine's connection.
  for (const index of [0, 1]) {
    writeFileSync(aheadOf(index), "");
    await sleep(200);
    expect(await measureMove()).toBeLessThan(MOVES_WITHIN_MS);
    rmSync(aheadOf(index));
    const door = `${doors[index]}/health`;
    await until(async () => ((await statusOf(door)) === 200 ? true : undefined), BACK_WITHIN_MS);
  }
  const left = said().filter(({ what }) => what === "worker.left");
  expect(left).not.toEqual([]);
  for (const line of left) {
    expect(line).toMatchObject({ level: "error", code: "ENGINE_CLOCK" });
    expect(Math.abs(Number(line["apartMs"]) - 90_000)).toBeLessThan(10_000);
  }
  expect(said().filter(({ what }) => what === "worker.returned")).toHaveLength(left.length);
}, 120_000);

test("a worker that does not know the engine's key leaves the address, and says so", async () => {
  const other = identityKeyOf(createIdentity());
  const { cut, doors, said } = await openCrew([startOf(0), startOf(1, other)]);
  for (let times = 0; times < 2; times++) {
    cut();
    expect(await measureMove()).toBeLessThan(MOVES_WITHIN_MS);
  }
  const left = said().filter(({ what }) => what === "worker.left");
  expect(left).not.toEqual([]);
  for (const line of left)
    expect(line).toMatchObject({ level: "error", code: "ENGINE_KEY", key: IDENTITY.key });
  expect(await statusOf(`${doors[0]}/health`)).toBe(200);
}, 120_000);
