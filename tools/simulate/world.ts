/** Everything that one seed is about, and how a worker is let into it. */
import { type Advanced, advance, type HostPorts } from "@turnseal/host";
import {
  type Append,
  type ManualClock,
  manualClock,
  memoryStores,
  type RunSnapshot,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import { isLoopError, type JsonObject, type LoopEvent, uuidFrom } from "@turnseal/protocol";
import { type Attempt, createAttempt, gateStores } from "./attempt.ts";
import { bindDoers, bindModel, type DoerOptions } from "./doers.ts";
import { createPromises, type Promises } from "./fault.ts";
import { registries } from "./loops.ts";
import { createOutside, type Outside } from "./outside.ts";
import { createRandom, type Random } from "./random.ts";
import { drawScenario, PRICES, type Scenario } from "./scenario.ts";
import { signer } from "./signing-key.ts";
import { createTally, type Tally } from "./tally.ts";
import { type LogWatch, watchLog } from "./watch-log.ts";

export interface World {
  readonly run: string;
  readonly random: Random;
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly outside: Outside;
  readonly promises: Promises;
  readonly tally: Tally;
  readonly watch: LogWatch;
  readonly scenario: Scenario;
  readonly attempts: Attempt[];
  step: number;
  /** Appends with receipts that nobody has verified yet. */
  readonly unverified: Append[];
  ownerEpoch: number;
  crashes: number;
  curses: number;
  hasChangedCode: boolean;
  hasLostReceipt: boolean;
  isSnapshotAhead: boolean;
  /** Set when the run can go no further without an operator. */
  blocked: string | undefined;
}

/** How often a curse strikes. */
const CURSES_MAX = 6;

export async function createWorld(seed: number): Promise<World> {
  const random = createRandom(seed);
  const clock = manualClock();
  const stores = memoryStores(clock);
  const promises = createPromises();
  const tally = createTally();
  const outside = createOutside(clock, PRICES, promises);
  const run = uuidFrom(`simulation ${seed}`);
  const scenario = drawScenario(random, clock.now());
  const spec = scenario.spec as unknown as JsonObject;
  const body = { spec, input: { order: `order ${seed}` } };
  await stores.inbox.put({ run, key: "start", kind: "start", body });
  return {
    run,
    random,
    clock,
    stores,
    outside,
    promises,
    tally,
    watch: watchLog(run, { outside, tally, promises }),
    scenario,
    attempts: [],
    step: 0,
    unverified: [],
    ownerEpoch: 0,
    crashes: 0,
    curses: 0,
    hasChangedCode: false,
    hasLostReceipt: false,
    isSnapshotAhead: false,
    blocked: undefined,
  };
}

/** True while faults may happen. */
export function isUnkind({ step, scenario }: World): boolean {
  return step < scenario.faultSteps;
}

/** Lets a worker advance the run. */
export function startAttempt(world: World, worker: number): Attempt {
  const { clock, run, promises } = world;
  const attempt = createAttempt(worker, clock);
  world.attempts.push(attempt);
  const isChanged = world.scenario.codeChanges && isUnkind(world) && world.random.chance(0.15);
  const ports = openPorts(world, attempt, isChanged);
  const advancing = advance(run, ports, {
    onProgress: (progress) => {
      if (progress.kind !== "turn") return;
      const isSealed = world.watch.isSealed(progress.turn);
      promises.hold(isSealed, `I4: turn ${progress.turn} is reported before it is sealed`);
      const isOwner = attempt.epoch === world.ownerEpoch || world.watch.isSealed(progress.turn);
      promises.hold(isOwner, "a fenced worker reports");
    },
  });
  advancing
    .then(
      (advanced) => endAttempt(world, attempt, advanced),
      (error: unknown) => failAttempt(world, attempt, error),
    )
    // What is broken is remembered; the simulation looks at it after the step.
    .catch(() => {});
  return attempt;
}

function endAttempt(world: World, attempt: Attempt, { dues }: Advanced): void {
  attempt.end();
  if (dues.kind !== "blocked") return;
  world.blocked = dues.why;
  const isExpected = dues.why === "stale" && world.isSnapshotAhead;
  if (isExpected) world.tally.count("stop projection-stale");
  else world.promises.hold(false, `the run is blocked: ${dues.why}`);
}

/** A worker may lose its epoch or its store; whatever else it throws is a fault of ours. */
const lawful: ReadonlySet<string> = new Set(["LOG_FENCED", "STORE_FULL", "STORE_UNREACHABLE"]);

function failAttempt(world: World, attempt: Attempt, error: unknown): void {
  attempt.end();
  const isLawful = isLoopError(error) && lawful.has(error.code);
  world.promises.hold(isLawful, `a worker fails: ${String(error)}`);
}

function openPorts(world: World, attempt: Attempt, isChanged: boolean): HostPorts {
  const { promises, watch, clock, run } = world;
  const isRenamed = isChanged && watch.projection().openTurn !== null && world.random.chance(0.6);
  if (isChanged) {
    world.hasChangedCode = true;
    world.tally.count("fault code-changed");
  }
  const options: DoerOptions = {
    attempt,
    outside: world.outside,
    random: world.random,
    tally: world.tally,
    mayFail: () => isUnkind(world),
    isCursed: () => world.scenario.isCursed && world.curses < CURSES_MAX && isUnkind(world),
    onTool: (tool, request) => {
      promises.hold(!isChanged || isRenamed, `${tool} acts though the code has changed`);
      watch.onTool(tool, request, clock.now());
    },
    onModel: (epoch) => {
      promises.hold(!isChanged || isRenamed, "a model is asked though the code has changed");
      watch.onModel(epoch);
    },
    onReconcile: (key) => watch.onReconcile(key, clock.now()),
  };
  const seen = seeStores(world, isRenamed);
  return {
    stores: gateStores(seen, attempt, {
      onEpoch: (epoch) => {
        world.ownerEpoch = epoch;
      },
      onAppend: (append) => {
        if (append.receipt !== undefined) world.unverified.push(append);
        watch.onAppend(attempt, append, world.ownerEpoch);
      },
    }),
    clock: attempt.clock,
    ids: seededIds(`${run} ${attempt.worker}`),
    signer: {
      ...signer,
      sign: (data) => attempt.pass("sign", () => signer.sign(data)),
    },
    registry: isChanged && !isRenamed ? registries.changed : registries.deployed,
    models: new Map([["scripted", bindModel(options)]]),
    tools: bindDoers(options),
    prices: PRICES,
  };
}

/**
 * The stores with what may be wrong with them, and the log as code with other step paths would have
 * written it.
 */
function seeStores(world: World, isRenamed: boolean): Stores {
  const { stores, watch } = world;
  const { log, receipts, runs } = stores;
  const open = watch.projection().openTurn;
  const renamed = isRenamed
    ? watch
        .events()
        .slice((open?.from ?? 1) - 1)
        .findLast(({ call }) => call !== undefined)?.call
    : undefined;
  const rename = (event: LoopEvent): LoopEvent =>
    event.call !== undefined && event.call === renamed
      ? { ...event, call: uuidFrom("other") }
      : event;
  const ahead = (snapshot: RunSnapshot | undefined): RunSnapshot | undefined => {
    if (snapshot === undefined || !world.isSnapshotAhead) return snapshot;
    const sequence = snapshot.sequence + 1_000;
    const turns = Number(snapshot.state["turns"]) + 1;
    return { ...snapshot, sequence, state: { ...snapshot.state, sequence, turns } };
  };
  return {
    ...stores,
    log: {
      ...log,
      read: async (...place) => (await log.read(...place)).map(rename),
    },
    receipts: {
      ...receipts,
      read: async (run, turn) =>
        world.hasLostReceipt ? undefined : await receipts.read(run, turn),
    },
    runs: { ...runs, read: async (run) => ahead(await runs.read(run)) },
  };
}
