/**
 * Runs that are parked inside fan-outs while the flow is changed under them. There are three
 * deployments and four people in processes of their own, and a seed decides the moment of every
 * approval. All effects are counted outside.
 */
import type { ChildProcess } from "node:child_process";
import { collectEvents, createLocalHost } from "@turnseal/host";
import { canonicalize } from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import { type DurableWorld, openDurableWorld, TENANT } from "../../e2e/durable-world.ts";
import { type Outside, openOutside } from "../chaos/outside.ts";
import { crashPublicKey, crashSigner } from "../kit/crash-key.ts";
import { startProcess, untilReady } from "../kit/processes.ts";
import { createRandom, type RandomSource } from "../kit/random-source.ts";
import type { Approval, PersonSettings, Said } from "./person.ts";
import { createLoops, type FlowRelease, grant, PAYMENTS, policy, RELEASES } from "./releases.ts";
import { untilTold } from "./until-told.ts";
import type { WorkerSettings } from "./worker.ts";

const PEOPLE = ["ada", "bo", "cy", "di"] as const;
/** Of so many approvals a second person gives one, too. */
const TWICE_EVERY = 10;
/** Runs that are started, or looked at, at the same time. */
const LANES = 12;
const WITHIN_MS = 600_000;

export interface ParkedFlowsOptions {
  readonly runs: number;
  readonly seed: number;
  readonly say?: (words: string) => void;
}

export interface ParkedFlowsFigures {
  readonly runs: number;
  /** Runs that were open while a flow of another release was promoted. */
  readonly open: number;
  readonly approvals: number;
  /** Approvals that somebody had given before. */
  readonly late: number;
  /** Runs that reached their goal, in one turn that was closed once. */
  readonly finished: number;
  /** The actions, as they were counted outside. */
  readonly deeds: number;
  readonly expected: number;
  readonly missing: number;
  readonly twice: number;
  /** Done by another release than the run's own, or by none that has it. */
  readonly foreign: number;
  readonly blocked: number;
  /** What a verifier finds wrong in all the runs. */
  readonly findings: number;
  readonly seconds: number;
}

interface Started {
  readonly run: string;
  readonly label: string;
  readonly release: FlowRelease;
}

export async function runParkedFlows(options: ParkedFlowsOptions): Promise<ParkedFlowsFigures> {
  const { runs, seed, say } = options;
  const began = performance.now();
  const outside = await openOutside();
  const world = await openDurableWorld({ loops: [] });
  const children: ChildProcess[] = [];
  try {
    const people = await Promise.all(PEOPLE.map((name) => startPerson(name, world, children)));
    const random = createRandom(seed);
    const started: Started[] = [];
    const open: Approval[] = [];
    let [late, told, isOpen] = [0, 0, 0];
    for (const [index, release] of RELEASES.entries()) {
      isOpen = new Set(open.map(({ run }) => run)).size;
      await startRelease(release, { world, outside, children });
      say?.(`release ${release.number} is promoted while ${isOpen} runs are open`);
      const share = Math.floor(((index + 1) * runs) / RELEASES.length) - started.length;
      const fresh = await park(world, release, share, started.length);
      started.push(...fresh);
      open.push(...fresh.flatMap(({ run }) => PAYMENTS.map((what) => ({ run, what }))));
      const isLast = index === RELEASES.length - 1;
      const picked = pick(open, isLast ? open.length : Math.floor(open.length / 3), random);
      say?.(`${started.length} runs are started; ${picked.length} approvals are given`);
      const said = await Promise.all(
        people.map((person, at) => person(picked.filter((_, n) => isTold(n, at)))),
      );
      late += said.reduce((sum, each) => sum + each.late, 0);
      told += said.reduce((sum, each) => sum + each.told, 0);
    }
    say?.("everything is approved");
    const judged = await judge(world, started);
    return {
      ...{ runs, open: isOpen, approvals: told, late, ...judged, ...count(outside, started) },
      seconds: Math.round((performance.now() - began) / 1_000),
    };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    outside.close();
    await world.close();
  }
}

/** Everybody has a share, and some of it is another's as well. */
function isTold(approval: number, person: number): boolean {
  const own = approval % PEOPLE.length;
  const isTwice = approval % TWICE_EVERY === 0;
  return person === own || (isTwice && person === (own + 1) % PEOPLE.length);
}

/** Takes some out of a list, in an order that the seed decides. */
function pick(open: Approval[], wanted: number, random: RandomSource): Approval[] {
  return Array.from({ length: wanted }, () => open.splice(random.below(open.length), 1)).flat();
}

interface Stage {
  readonly world: DurableWorld;
  readonly outside: Outside;
  readonly children: ChildProcess[];
}

async function startRelease(release: FlowRelease, { world, outside, children }: Stage) {
  const { admin, identityKey } = world.engine();
  const settings: WorkerSettings = {
    ...{ release: release.number, postgres: world.databaseUrl, tenant: TENANT, admin },
    ...{ identityKeys: [identityKey], outsideUrl: outside.url },
  };
  await startChild("worker.ts", settings, children);
}

async function startPerson(
  name: string,
  world: DurableWorld,
  children: ChildProcess[],
): Promise<(approvals: Approval[]) => Promise<Said>> {
  const { databaseUrl } = world;
  const { ingress } = world.engine();
  const settings: PersonSettings = { name, databaseUrl, tenant: TENANT, ingress };
  const child = await startChild("person.ts", settings, children);
  return (approvals) =>
    new Promise((resume, fail) => {
      child.once("message", (said) => resume(said as Said));
      child.once("exit", (code) => fail(new Error(`${name} ended with ${code}`)));
      child.send(approvals);
    });
}

async function startChild(
  program: string,
  settings: object,
  children: ChildProcess[],
): Promise<ChildProcess> {
  const child = startProcess(new URL(program, import.meta.url), [JSON.stringify(settings)]);
  children.push(child);
  await untilReady(child);
  return child;
}

/** Starts runs of a release, and waits until each has asked for its three approvals. */
async function park(
  { stores, ingress, until }: DurableWorld,
  release: FlowRelease,
  size: number,
  from: number,
): Promise<Started[]> {
  const { settle, loops } = createLoops(release);
  const host = createLocalHost({
    loops: [...loops],
    stores,
    signer: crashSigner,
    put: ingress.put,
  });
  return inLanes(size, async (index) => {
    const label = `run-${from + index}`;
    const start = () => host.start(settle, { label, what: "" }, { key: label, grant, policy });
    const run = await untilTold(start);
    const areAsked = async () =>
      (await host.requests(run)).length === PAYMENTS.length ? true : undefined;
    await until(areAsked, WITHIN_MS);
    return { run, label, release };
  });
}

async function judge({ host, stores, until }: DurableWorld, started: readonly Started[]) {
  const verdicts = await inLanes(started.length, async (index) => {
    const { run } = started[index] as Started;
    const stopped = await until(
      async () => (await host.show(run))?.stopped ?? undefined,
      WITHIN_MS,
    );
    const events = await collectEvents(stores.log, run, 1);
    const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
      canonicalize(envelope),
    );
    const countOf = (type: string): number => events.filter((event) => event.type === type).length;
    const { findings } = await verifyRun({ run, events, receipts }, { keys: [crashPublicKey] });
    return {
      isFinished: stopped === "goal-reached" && countOf("turn.closed") === 1,
      blocked: countOf("run.blocked"),
      findings: findings.length,
    };
  });
  return {
    finished: verdicts.filter(({ isFinished }) => isFinished).length,
    blocked: verdicts.reduce((sum, { blocked }) => sum + blocked, 0),
    findings: verdicts.reduce((sum, { findings }) => sum + findings, 0),
  };
}

/** What was done outside, against what the releases say. */
function count({ ledger, timesMs }: Outside, started: readonly Started[]) {
  const wanted = started.flatMap(({ label, release: { deeds, number } }) =>
    deeds.map((what) => ledger.paymentsOf(`${label} ${what} by ${number}`)),
  );
  const own = wanted.reduce((sum, times) => sum + times, 0);
  return {
    deeds: timesMs.length,
    expected: wanted.length,
    missing: wanted.filter((times) => times === 0).length,
    twice: wanted.filter((times) => times > 1).length,
    foreign: timesMs.length - own,
  };
}

async function inLanes<Made>(size: number, make: (index: number) => Promise<Made>) {
  const made: Made[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < size) {
      const index = next;
      next += 1;
      made[index] = await make(index);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return made;
}
