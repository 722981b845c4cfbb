// A tool that never gives the event loop back, on workers that are started again.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import { STALLED_EXIT_CODE } from "@turnseal/operate/worker";
import { createMemorySigner } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";
import { STALL_MS_DEFAULT } from "@turnseal/runtime";
import { createPost, type Engine, startEngine } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  askServer,
  type CommandWorld,
  IDENTITY,
  openCommandWorld,
  until,
} from "./command-world.ts";
import { type Crew, startCrew } from "./shared-address.ts";

const LOOPS = `
const tool = (id, run) => ({
  definition: {
    id, name: id, version: "1.0.0", kind: "tool", inputSchema: true, outputSchema: true,
    tool: { implementation: "local." + id }, policy: { timeoutMs: 60000 },
  },
  run,
  declared: { effect: "idempotent" },
});
export const spin = tool("spin", async () => {
  for (;;);
});
export const rest = tool("rest", async () => {
  await new Promise((resume) => setTimeout(resume, 200));
  return {};
});
`;
const QUIET_EVERY_MS = 500;
/** Two workers stall in turn before the run is left alone for a while. */
const MOVES_WITHIN_MS = 3 * STALL_MS_DEFAULT;

interface Client {
  readonly host: LocalHost;
  start(id: string): Promise<string>;
  close(): Promise<void>;
}

let world: CommandWorld;
let engine: Engine;
let crew: Crew;

beforeAll(async () => {
  world = openCommandWorld();
  const folder = join(world.folder, "engine");
  mkdirSync(folder);
  writeFileSync(join(folder, "identity.pem"), IDENTITY.pem);
  writeFileSync(join(world.folder, "loops.mjs"), LOOPS);
  engine = await startEngine({ folder });
  await askServer(`create database ${new URL(world.databaseUrl).pathname.slice(1)}`);
  await world.run(["migrate", "--postgres", world.databaseUrl]);
  const args = [
    ...["--from", "loops.mjs", "--postgres", world.databaseUrl, "--admin", engine.admin],
    ...["--identity-key", IDENTITY.key, "--tenant", "default", "quiet"],
  ];
  crew = await startCrew({ world, workers: [{ args }, { args }, { args }] });
  const deploy = (...more: string[]) =>
    world.run(["deploy", ...more, "--admin", engine.admin, "--postgres", world.databaseUrl]);
  const registered = await deploy("register", "--url", crew.url, "--from", "loops.mjs");
  const name = /[0-9a-f]{16}/.exec(registered.out)?.[0] ?? "";
  expect(await deploy("promote", name)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await crew?.close();
  await engine?.kill();
  await world?.close();
});

/** A client of a tenant: reads from the database, tells through the engine. */
async function openClient(tenant: string): Promise<Client> {
  const loops: Record<string, Loop<object, unknown>> = await import(
    join(world.folder, "loops.mjs")
  );
  const stores = await openPostgresStores({ url: world.databaseUrl, tenant });
  const post = createPost(60_000);
  const { put } = createIngress({ ingress: engine.ingress, tenant, post });
  const signer = await createMemorySigner();
  const host = createLocalHost({ loops: Object.values(loops), stores, signer, put });
  const start = (id: string): Promise<string> => {
    const grant = { grantor: "ada", tools: [`local.${id}`], budget: {} };
    return host.start(loops[id] as Loop<object, unknown>, {}, { grant });
  };
  return { host, start, close: () => stores.close() };
}

/** How long each run of a client takes that starts one now and then, while this lasts. */
async function watchQuiet({ host, start }: Client, whole: Promise<unknown>): Promise<number[]> {
  const state = { isOver: false };
  void whole.finally(() => {
    state.isOver = true;
  });
  const taking: Promise<number>[] = [];
  while (!state.isOver) {
    const atMs = Date.now();
    const take = async (): Promise<number> => {
      const run = await start("rest");
      return until(async () => {
        const stoppedAt = (await host.show(run))?.stoppedAt;
        return stoppedAt === undefined ? undefined : Date.parse(stoppedAt) - atMs;
      });
    };
    taking.push(take());
    await sleep(QUIET_EVERY_MS);
  }
  return (await Promise.all(taking)).sort((one, other) => one - other);
}

test("a tool that loops for ever costs three workers, and others go on", async () => {
  const [quiet, poisoned] = [await openClient("quiet"), await openClient("default")];
  const first = await watchQuiet(quiet, sleep(2_000));
  expect(first.length).toBeGreaterThan(0);
  const run = await poisoned.start("spin");
  const blocked = until(
    () => crew.said().find(({ what, run: of }) => what === "run.blocked" && of === run),
    60_000,
  );
  const tookMs = await watchQuiet(quiet, blocked);
  expect(await blocked).toMatchObject({ why: "quarantined", tenant: "default" });
  expect(Math.max(...tookMs)).toBeLessThan(MOVES_WITHIN_MS);
  // A machine that is busy may not let it exit in time.
  const stalls: unknown[] = [STALLED_EXIT_CODE, "SIGKILL"];
  expect(crew.ends.map((end) => stalls.includes(end))).toEqual([true, true, true]);
  const stalled = crew.said().filter(({ what }) => what === "worker.stalled");
  expect(stalled).toHaveLength(3);
  for (const line of stalled)
    expect(line).toMatchObject({ level: "error", tenant: "default", run, tool: "local.spin" });
  for (const client of [quiet, poisoned]) await client.close();
}, 120_000);
