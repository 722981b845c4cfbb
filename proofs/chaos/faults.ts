/** What goes wrong, and how. Each strikes while runs move. */
import { setTimeout as sleep } from "node:timers/promises";
import { advance, bindHost } from "@turnseal/host";
import { GRACE_MS, LOG_WAIT_MS_MAX } from "@turnseal/kernel";
import { findFreePort } from "@turnseal/runtime/engine";
import { crashSigner } from "../kit/crash-key.ts";
import type { RandomSource } from "../kit/random-source.ts";
import { type Load, sendStart } from "./load.ts";
import { createPost, createTurnLoops, instantModel, PAY_TIMEOUT_MS } from "./payment-turns.ts";
import { type ChaosWorld, WORKERS } from "./world.ts";

export interface Strike {
  readonly world: ChaosWorld;
  readonly load: Load;
  readonly random: RandomSource;
  /** For what lasts: true when it should end. */
  readonly isOver: () => boolean;
}

export interface Fault {
  readonly name: string;
  readonly nodes?: 3;
  /** How often it strikes at full size; what lasts strikes once. */
  readonly strikes: number;
  /** Where the table has to say more. */
  readonly note?: string;
  strike(strike: Strike): Promise<void>;
}

export const FAULTS: readonly Fault[] = [
  { name: "worker killed", strikes: 4, strike: killWorker },
  { name: "worker frozen", strikes: 2, strike: freezeWorker },
  { name: "engine killed", strikes: 3, strike: ({ world }) => restartNode(world, 0, 0) },
  {
    name: "node killed",
    nodes: 3,
    strikes: 3,
    note: "no object store for snapshots here: a node comes back with its data; one that lost its disk was not shown",
    strike: ({ world, random }) => restartNode(world, random.below(3), 3_000),
  },
  { name: "database restarted", strikes: 3, strike: restartDatabase },
  {
    name: "standby promoted",
    strikes: 1,
    note: "the new primary goes on without a standby of its own",
    strike: promoteStandby,
  },
  { name: "delivered twice", strikes: 1, strike: deliverTwice },
  { name: "cut at commit", strikes: 1, strike: cutAtCommit },
  { name: "redeployed", strikes: 2, strike: redeploy },
];

async function killWorker({ world, random }: Strike): Promise<void> {
  const { workers } = world;
  const [victim] = workers.splice(random.below(workers.length), 1);
  await victim?.kill();
  await sleep(1_000);
  await world.startWorker();
}

/** Longer than a payment may take, and than anybody waits for one. */
async function freezeWorker({ world: { workers }, random }: Strike): Promise<void> {
  const victim = workers[random.below(workers.length)];
  victim?.signal("SIGSTOP");
  await sleep(PAY_TIMEOUT_MS + LOG_WAIT_MS_MAX + GRACE_MS + 4_000);
  victim?.signal("SIGCONT");
}

async function restartNode({ nodes }: ChaosWorld, node: number, goneMs: number): Promise<void> {
  await nodes.kill(node);
  await sleep(goneMs);
  await nodes.start(node);
}

async function restartDatabase({ world: { primary } }: Strike): Promise<void> {
  await primary.kill();
  await primary.start();
}

async function promoteStandby({ world }: Strike): Promise<void> {
  await world.primary.kill();
  await world.standby.promote();
  world.leadTo(world.standby);
}

/**
 * Every message again, late and out of order, and a second writer who advances the same runs beside
 * the engine.
 */
async function deliverTwice({ world, load, random, isOver }: Strike): Promise<void> {
  const { ingress, stores, outside } = world;
  const ports = bindHost({
    loops: createTurnLoops({ post: createPost(outside.url), build: "1" }),
    stores,
    signer: crashSigner,
    models: { instant: instantModel },
  });
  const pick = () => load.runs[random.below(load.runs.length)];
  const again = async (): Promise<void> => {
    while (!isOver()) {
      const { run, label, effect } = pick() ?? {};
      if (run === undefined || label === undefined || effect === undefined) return;
      const kind = random.below(4);
      if (kind === 0) await sendStart(world.host, label, effect).catch(() => {});
      else if (kind < 3) await ingress.look(run).catch(() => {});
      else {
        const open = load.open();
        const moving = open[random.below(open.length)];
        if (moving !== undefined) await advance(moving, ports, { sliceMs: 0 }).catch(() => {});
        if (moving !== undefined) await ingress.look(moving).catch(() => {});
      }
      await sleep(random.below(30));
    }
  };
  await Promise.all(Array.from({ length: 8 }, again));
}

/** Appends between two cuts. */
const CUT_EVERY = 25;

async function cutAtCommit({ world: { gate }, isOver }: Strike): Promise<void> {
  gate.cutEvery(CUT_EVERY);
  while (!isOver()) await sleep(50);
  gate.cutEvery(0);
}

let builds = 1;

/** New code under a new address; the old workers go when the engine needs them no more. */
async function redeploy({ world }: Strike): Promise<void> {
  const { workers, nodes } = world;
  const old = workers.splice(0);
  builds += 1;
  const port = await findFreePort();
  const settings = { port, build: String(builds) };
  await Promise.all(Array.from({ length: WORKERS }, () => world.startWorker(settings)));
  const before = await nodes.query("select id, endpoint from sys_deployment");
  await nodes.register(`http://127.0.0.1:${port}`);
  await drain(
    nodes,
    before.map(({ id }) => String(id)),
  );
  for (const worker of old) await worker.kill();
}

/** Waits until no invocation needs one of these deployments. */
export async function drain(
  nodes: Pick<ChaosWorld["nodes"], "query">,
  deployments: readonly string[],
): Promise<void> {
  if (deployments.length === 0) return;
  const listed = deployments.map((id) => `'${id}'`).join(", ");
  const question = `select count(*) as pinned from sys_invocation
    where pinned_deployment_id in (${listed}) and status <> 'completed'`;
  for (let times = 0; times < 600; times++) {
    const [row] = await nodes.query(question);
    if (Number(row?.["pinned"]) === 0) return;
    await sleep(100);
  }
  throw new Error("the old deployment was needed for more than a minute");
}
