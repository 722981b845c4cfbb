/** Lets a worker into the world: it advances one run, and delivers what that run owes to others. */
import { type Advanced, advance, deliver, type HostPorts } from "@turnseal/host";
import { memorySecrets, type RunSnapshot, type Stores, seededIds } from "@turnseal/ports";
import { isLoopError, type LoopEvent, uuidFrom } from "@turnseal/protocol";
import { type Attempt, createAttempt, gateStores } from "./attempt.ts";
import { checkWords, SECRET } from "./canary.ts";
import { bindDoers, bindModel, type DoerOptions } from "./doers.ts";
import { registries } from "./loops.ts";
import type { Place } from "./places.ts";
import { PRICES } from "./scenario.ts";
import { signer } from "./signing-key.ts";
import { isUnkind, type World } from "./world.ts";

/** How often a curse strikes. */
const CURSES_MAX = 6;

/** Lets a worker advance a run. */
export function startAttempt(world: World, place: Place, worker: number): Attempt {
  const { clock, promises, today } = world;
  const { run, watch } = place;
  const attempt = createAttempt({ worker, run, today }, clock);
  world.attempts.push(attempt);
  const isChanged = world.scenario.codeChanges && isUnkind(world) && world.random.chance(0.15);
  const ports = openPorts(world, place, { attempt, isChanged });
  const work = async (): Promise<Advanced> => {
    const advanced = await advance(run, ports, {
      onProgress: (progress) => {
        if (progress.kind !== "turn") return;
        const isSealed = watch.isSealed(progress.turn);
        promises.hold(isSealed, `I4: turn ${progress.turn} is reported before it is sealed`);
        const isOwner = attempt.epoch === place.ownerEpoch || isSealed;
        promises.hold(isOwner, "a fenced worker reports");
      },
    });
    const { stores } = ports;
    if ("projection" in advanced)
      await deliver(advanced.projection, { stores, registry: registries.deployed });
    return advanced;
  };
  work()
    .then(
      (advanced) => endAttempt(world, place, { attempt, advanced }),
      (error: unknown) => failAttempt(world, attempt, error),
    )
    // What is broken is remembered; the simulation looks at it after the step.
    .catch(() => {});
  return attempt;
}

interface EndedAttempt {
  readonly attempt: Attempt;
  readonly advanced: Advanced;
}

function endAttempt(world: World, place: Place, { attempt, advanced }: EndedAttempt): void {
  attempt.end();
  const { dues } = advanced;
  if (dues.kind !== "blocked") return;
  place.blocked = dues.why;
  const isExpected = dues.why === "stale" && world.isSnapshotAhead && place.level === 0;
  if (isExpected) world.tally.count("stop projection-stale");
  else world.promises.hold(false, `the run is blocked: ${dues.why}`);
}

/** A worker may lose its epoch or its store; whatever else it throws is a fault of ours. */
const lawful: ReadonlySet<string> = new Set(["LOG_FENCED", "STORE_FULL", "STORE_UNREACHABLE"]);

function failAttempt({ promises }: World, attempt: Attempt, error: unknown): void {
  attempt.end();
  const isLawful = isLoopError(error) && lawful.has(error.code);
  promises.hold(isLawful, `a worker fails: ${String(error)}`);
  checkWords(String(error), "an error", promises);
}

interface Worker {
  readonly attempt: Attempt;
  /** True when it was deployed with other loops than the run was started with. */
  readonly isChanged: boolean;
}

function openPorts(world: World, place: Place, { attempt, isChanged }: Worker): HostPorts {
  const { watch, run } = place;
  const isRenamed = isChanged && watch.projection().openTurn !== null && world.random.chance(0.6);
  if (isChanged) {
    place.hasChangedCode = true;
    world.tally.count("fault code-changed");
  }
  const options = doerOptions(world, place, { attempt, isChanged: isChanged && !isRenamed });
  return {
    stores: gateStores(seeStores(world, place, isRenamed), attempt, {
      onEpoch: (epoch) => {
        place.ownerEpoch = epoch;
      },
      onAppend: (append) => {
        if (append.receipt !== undefined) world.unverified.push(append);
        watch.onAppend(attempt, append, place.ownerEpoch);
      },
      onPut: world.places.onPut,
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
    secrets: memorySecrets({ vault: SECRET }),
    prices: PRICES,
    ...(attempt.today === undefined ? {} : { policy: attempt.today.policy }),
  };
}

function doerOptions(world: World, place: Place, { attempt, isChanged }: Worker): DoerOptions {
  const { promises, clock, scenario } = world;
  const { watch, authority } = place;
  return {
    attempt,
    outside: world.outside,
    random: world.random,
    tally: world.tally,
    eagerness: scenario.eagerness,
    mayFail: () => isUnkind(world),
    isCursed: () => scenario.isCursed && world.curses < CURSES_MAX && isUnkind(world),
    onTool: (tool, request) => {
      promises.hold(!isChanged, `${tool} acts though the code has changed`);
      watch.onTool(tool, request, clock.now());
      const { key, effect, args } = request;
      authority.onAct({ key, tool, effect, args });
    },
    onModel: ({ messages }) => {
      promises.hold(!isChanged, "a model is asked though the code has changed");
      watch.onModel(attempt.epoch);
      const isHidden = !JSON.stringify(messages).includes(SECRET);
      promises.hold(isHidden, "I10: a model is told a secret");
    },
    onReconcile: (key) => watch.onReconcile(key, clock.now()),
  };
}

/**
 * The stores with what may be wrong with them, and the log as code with other step paths would have
 * written it.
 */
function seeStores(world: World, { watch, level }: Place, isRenamed: boolean): Stores {
  const { stores } = world;
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
    if (snapshot === undefined || !world.isSnapshotAhead || level > 0) return snapshot;
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
        world.hasLostReceipt && level === 0 ? undefined : await receipts.read(run, turn),
    },
    runs: { ...runs, read: async (run) => ahead(await runs.read(run)) },
  };
}
