// New code while runs wait and while runs move. TURNSEAL_REDEPLOY_RUNS=200,50 is the full size.
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { collectEvents, type PersonRequest } from "@turnseal/host";
import { canonicalize, isClaimOf, type Policy } from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import { findFreePort } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drain } from "../proofs/chaos/faults.ts";
import { RUN_TURNS, sendStart } from "../proofs/chaos/load.ts";
import { type Outside, openOutside } from "../proofs/chaos/outside.ts";
import {
  createTurnLoops,
  instantModel,
  nameOrder,
  payTool,
} from "../proofs/chaos/payment-turns.ts";
import { startWorker, type WorkerProcess } from "../proofs/chaos/start-worker.ts";
import { crashPublicKey } from "../proofs/kit/crash-key.ts";
import { type DurableWorld, openDurableWorld, TENANT } from "./durable-world.ts";

const [waiting = 20, moving = 40] = (process.env["TURNSEAL_REDEPLOY_RUNS"] ?? "20,40")
  .split(",")
  .map(Number);
const effect = "idempotent";
const policy: Policy = {
  name: "first-asks",
  rules: [
    { id: "first", decision: "ask", tools: [payTool(effect)], when: "args.order == 0" },
    { id: "rest", decision: "allow" },
  ],
};
const raised = fileURLToPath(new URL("raise-semantics.test.process.ts", import.meta.url));
const command = fileURLToPath(new URL("../apps/cli/bin/turnseal.js", import.meta.url));
const execute = promisify(execFile);
const by = { id: "ada", roles: [] };

let world: DurableWorld;
let outside: Outside;
let workers: WorkerProcess[] = [];

beforeAll(async () => {
  const loops = createTurnLoops({ post: async () => ({}), build: "1" });
  world = await openDurableWorld({ loops, models: { instant: instantModel } });
  outside = await openOutside();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  outside.close();
  await world.close();
});

interface Build {
  readonly port: number;
  readonly started: WorkerProcess[];
}

/** Two workers of that build at an address of their own. */
async function startBuild(build: string, hooks: readonly string[] = []): Promise<Build> {
  const port = await findFreePort();
  const settings = {
    ...{ databaseUrl: world.databaseUrl, tenant: TENANT, outsideUrl: outside.url, build, port },
    ...{ identityKeys: [], connectionsMax: 8, hasStandby: false, sliceMs: 0, actionMaxMs: 20_000 },
  };
  const started = [startWorker(settings, hooks), startWorker(settings, hooks)];
  return { port, started: await Promise.all(started) };
}

/** Everything new goes to them; the old ones go when nobody needs them. */
async function switchTo({ port, started }: Build): Promise<void> {
  const old = workers;
  workers = [...old, ...started];
  const before = await world.admin().query("select id from sys_deployment");
  await world.admin().register(`http://127.0.0.1:${port}`);
  await drain(
    world.admin(),
    before.map(({ id }) => String(id)),
  );
  await Promise.all(old.map((worker) => worker.kill()));
  workers = started;
}

async function deploy(build: string, hooks: readonly string[] = []): Promise<void> {
  await switchTo(await startBuild(build, hooks));
}

const start = async (label: string, rules?: Policy) => ({
  label,
  run: await sendStart(world.host, label, effect, rules),
});
type Started = Awaited<ReturnType<typeof start>>;

const requestOf = (run: string) => world.until(async () => (await world.host.requests(run))[0]);
const decide = async ({ run }: Started): Promise<void> => {
  const { id } = await requestOf(run);
  await world.host.decide(run, id, { choice: "approve", by });
};
/** An approval covers the code of its time: the next code needs another approval. */
const decideAgain = async ({ run }: Started, build: string): Promise<void> => {
  const isNew = (asked: PersonRequest): boolean =>
    asked.kind === "approval" && asked.facts["build"] === build;
  const find = async () => (await world.host.requests(run)).find(isNew);
  const { id } = await world.until(find, 60_000);
  await world.host.decide(run, id, { choice: "approve", by });
};
const paidOnce = ({ label }: Started): boolean[] =>
  Array.from({ length: RUN_TURNS }, (_, order) => {
    const named = nameOrder({ label, order });
    return outside.ledger.paymentsOf(named) === 1;
  });

async function expectDone(runs: readonly Started[]): Promise<void> {
  for (const each of runs) {
    const ended = async () => (await world.host.show(each.run))?.stopped ?? undefined;
    expect(await world.until(ended, 120_000)).toBe("turns-exhausted");
    expect(paidOnce(each)).toEqual(Array.from({ length: RUN_TURNS }, () => true));
    const events = await collectEvents(world.stores.log, each.run, 1);
    const receipts = await world.stores.receipts.list(each.run, 1);
    const envelopes = receipts.map(({ envelope }) => canonicalize(envelope));
    const bundle = { run: each.run, events, receipts: envelopes };
    expect((await verifyRun(bundle, { keys: [crashPublicKey] })).findings).toEqual([]);
  }
}

/** What `turnseal runs --blocked` lists, in a process with that code. */
async function listBlocked(hooks: readonly string[] = []): Promise<string[]> {
  const place = ["--host", world.engine().ingress, "--postgres", world.databaseUrl];
  const options = ["runs", "--blocked", "--json", ...place, "--tenant", TENANT];
  const { stdout } = await execute(process.execPath, [...hooks, command, ...options]);
  const rows: { readonly run: string }[] = JSON.parse(stdout);
  return rows.map(({ run }) => run).sort();
}

const buildsOf = async ({ run }: Started): Promise<Set<unknown>> => {
  const events = await collectEvents(world.stores.log, run, 1);
  const claims = events.filter((event) => isClaimOf("tool", event));
  return new Set(
    claims.flatMap(({ content }) => (content.tool === payTool(effect) ? [content.build] : [])),
  );
};

test("what moves and what waits goes on with new code, and nothing happens twice", {
  timeout: 300_000,
}, async () => {
  await deploy("1");
  const parked = await Promise.all(
    Array.from({ length: waiting }, (_, index) => start(`parked-${index}`, policy)),
  );
  for (const { run } of parked) await requestOf(run);
  // Workers take longer to start than runs to end.
  const next = await startBuild("2");
  const movers = await Promise.all(
    Array.from({ length: moving }, (_, index) => start(`moving-${index}`)),
  );
  await world.until(async () => (outside.timesMs.length >= moving ? true : undefined));
  expect(outside.timesMs.length).toBeLessThan(moving * RUN_TURNS);
  await switchTo(next);
  for (const each of parked) await decide(each);
  for (const each of parked) await decideAgain(each, "2");
  await expectDone([...movers, ...parked]);
  for (const each of parked) expect(await buildsOf(each)).toEqual(new Set(["2"]));
  const seen = await Promise.all(movers.map(buildsOf));
  expect(seen.some((builds) => builds.has("1") && builds.has("2"))).toBe(true);
});

test("open turns of another meaning are left alone until somebody speaks it", {
  timeout: 300_000,
}, async () => {
  const parked = await Promise.all(
    Array.from({ length: Math.ceil(waiting / 4) }, (_, index) => start(`older-${index}`, policy)),
  );
  for (const { run } of parked) await requestOf(run);
  await deploy("3", ["--import", raised]);
  const lengths = await Promise.all(parked.map(({ run }) => world.stores.log.readHead(run)));
  for (const each of parked) await decide(each);
  // New runs, and the next turns of old ones, are the new code's.
  const fresh = await start("newer");
  const ended = async () => (await world.host.show(fresh.run))?.stopped ?? undefined;
  expect(await world.until(ended, 60_000)).toBe("turns-exhausted");
  await sleep(1_000);
  for (const [index, { run, label }] of parked.entries()) {
    expect(outside.ledger.attemptsOf(nameOrder({ label, order: 0 }))).toBe(0);
    const events = await collectEvents(world.stores.log, run, 1);
    const later = events.slice(lengths[index]?.sequence ?? 0);
    // The decision is kept; no worker acted on it, and the log names the missing part.
    expect(later.map(({ type }) => type)).toEqual(["approval.decided", "run.blocked"]);
    expect((await world.host.show(run))?.openTurn?.turn).toBe(1);
  }
  const ids = parked.map(({ run }) => run);
  expect(await listBlocked(["--import", raised])).toEqual([...ids].sort());
  // The answer is the last report of a worker.
  expect(await listBlocked()).toEqual([...ids].sort());
  await deploy("4");
  // Workers look again by themselves.
  for (const each of parked) await decideAgain(each, "4");
  await expectDone(parked);
});
