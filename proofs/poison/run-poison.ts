/**
 * Two bad runs beside a tenant with little to do. One takes its process down each time that it
 * acts, and one leaves a promise to itself which fails. Measures what the tenant notices, and
 * whether the runs are identified.
 */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { percentile } from "../../bench/fleet-world.ts";
import { type Fleet, openFleet } from "./fleet.ts";
import { burn, rest, stray } from "./poison-loops.ts";

const QUIET = "quiet";
const POISONED = "poisoned";
const QUIET_EVERY_MS = 500;
const WITHIN_MS = 180_000;

export interface PoisonOptions {
  readonly workers: number;
  readonly seconds: number;
  readonly say: (words: string) => void;
}

export interface PoisonFigures {
  readonly quietRuns: number;
  readonly quietUnfinished: number;
  readonly aloneP50Ms: number;
  readonly aloneP99Ms: number;
  readonly besideP50Ms: number;
  readonly besideP99Ms: number;
  readonly ratio: number;
  readonly workersLost: number;
  readonly workersAlive: number;
  readonly secondsToQuarantine: number;
  /** Lines of the workers' logs that name tenant, run and action. */
  readonly namedInLog: number;
  readonly namedInInbox: number;
  readonly straysNamed: number;
  readonly strayFinished: number;
}

export async function runPoison(options: PoisonOptions): Promise<PoisonFigures> {
  const { workers, seconds, say } = options;
  const fleet = await openFleet([QUIET, POISONED], workers);
  try {
    const first = await startRun(fleet, QUIET, rest);
    await until(() => stoppedAt(fleet, QUIET, first));
    say(`the quiet tenant alone for ${seconds} s`);
    const alone = await watchQuiet(fleet, sleep(seconds * 1_000));
    say("beside a run that takes workers down, and one that leaves a promise to itself");
    const beganMs = Date.now();
    const bad = await startRun(fleet, POISONED, burn);
    const astray = await startRun(fleet, POISONED, stray);
    const quarantine = untilQuarantined(fleet, bad);
    const beside = await watchQuiet(fleet, Promise.all([quarantine, sleep(seconds * 1_000)]));
    const quarantinedMs = (await quarantine) - beganMs;
    await until(() => (fleet.alive() === workers ? true : undefined));
    say("the fleet is whole again");
    const said = (what: string, run: string) =>
      fleet.said.filter((line) => {
        const { tenant, run: named } = line;
        return line["what"] === what && tenant === POISONED && named === run;
      });
    const strayEnd = await stoppedAt(fleet, POISONED, astray);
    return {
      ...describe(alone, beside),
      workersLost: fleet.lost(),
      workersAlive: fleet.alive(),
      secondsToQuarantine: Math.round(quarantinedMs / 100) / 10,
      namedInLog: said("run.blocked", bad).filter((line) => line["why"] === "quarantined").length,
      namedInInbox: await countInInbox(fleet, bad),
      straysNamed: said("tool.stray", astray).length,
      strayFinished: strayEnd === undefined ? 0 : 1,
    };
  } finally {
    await fleet.close();
  }
}

/** How long each run took, from its start to its end; undefined for one that has not ended. */
type Took = readonly (number | undefined)[];

function describe(alone: Took, beside: Took) {
  const ended = (took: Took): number[] => took.filter((ms) => ms !== undefined);
  const [before, after] = [ended(alone), ended(beside)];
  const round = (ms: number): number => Math.round(ms);
  const ratio = percentile(after, 0.99) / percentile(before, 0.99);
  return {
    quietRuns: alone.length + beside.length,
    quietUnfinished: alone.length + beside.length - before.length - after.length,
    aloneP50Ms: round(percentile(before, 0.5)),
    aloneP99Ms: round(percentile(before, 0.99)),
    besideP50Ms: round(percentile(after, 0.5)),
    besideP99Ms: round(percentile(after, 0.99)),
    ratio: Math.round(ratio * 100) / 100,
  };
}

function startRun(fleet: Fleet, tenant: string, tool: typeof rest): Promise<string> {
  const { id } = tool.definition;
  const grant = { grantor: "proof", tools: [`local.${id}`], budget: {} };
  return fleet.tenant(tenant).host.start(tool, {}, { grant });
}

/** Starts a run every now and then while this lasts, and waits for all of them. */
async function watchQuiet(fleet: Fleet, whole: Promise<unknown>): Promise<Took> {
  let isOver = false;
  const over = whole.finally(() => {
    isOver = true;
  });
  const started: Promise<{ readonly run: string; readonly atMs: number }>[] = [];
  while (!isOver) {
    const atMs = Date.now();
    started.push(startRun(fleet, QUIET, rest).then((run) => ({ run, atMs })));
    await sleep(QUIET_EVERY_MS);
  }
  await over;
  const took: (number | undefined)[] = [];
  for (const { run, atMs } of await Promise.all(started)) {
    const endMs = await until(() => stoppedAt(fleet, QUIET, run)).catch(() => undefined);
    took.push(endMs === undefined ? undefined : endMs - atMs);
  }
  return took;
}

/** When a run ended, by its log; undefined while it has not. */
async function stoppedAt(fleet: Fleet, tenant: string, run: string): Promise<number | undefined> {
  const shown = await fleet.tenant(tenant).host.show(run);
  return shown?.stoppedAt === undefined ? undefined : Date.parse(shown.stoppedAt);
}

async function untilQuarantined(fleet: Fleet, run: string): Promise<number> {
  const { host } = fleet.tenant(POISONED);
  return until(async () => {
    const blocked = (await host.show(run))?.blocked;
    return blocked?.cause === "quarantined" ? Date.parse(blocked.at) : undefined;
  });
}

/** How often the command lists the run, with its id, as quarantined. */
async function countInInbox(fleet: Fleet, run: string): Promise<number> {
  const command = fileURLToPath(new URL("../../apps/cli/src/main.ts", import.meta.url));
  const place = ["--host", fleet.ingress, "--postgres", fleet.databaseUrl, "--tenant", POISONED];
  const args = ["--conditions=turnseal-source", command, "inbox", "--json", ...place];
  const child = spawn(process.execPath, args, { cwd: fleet.folder, stdio: ["ignore", "pipe", 2] });
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  await new Promise((resume) => child.once("close", resume));
  const listed = JSON.parse(out) as { readonly run: string; readonly quarantined?: object }[];
  return listed.filter((each) => each.run === run && each.quarantined !== undefined).length;
}

async function until<Seen>(
  look: () => Promise<Seen | undefined> | Seen | undefined,
): Promise<Seen> {
  const endMs = Date.now() + WITHIN_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > endMs) throw new Error("it did not happen in time");
    await sleep(100);
  }
}
