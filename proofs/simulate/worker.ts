/** Lets a worker into the world: it advances one run, and delivers what that run owes to others. */
import { type Advanced, advance, deliver, type HostPorts } from "@turnseal/host";
import {
  type BoundTools,
  bindTools,
  type Registry,
  SEMANTICS,
  type ToolBindings,
} from "@turnseal/kernel";
import {
  memorySecrets,
  type RunSnapshot,
  type Signer,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import {
  BLOCK_CAUSES,
  type BlockCause,
  canonicalize,
  isClaimOf,
  isLoopError,
  type JsonValue,
  type LoopEvent,
  uuidFrom,
} from "@turnseal/protocol";
import { type Attempt, createAttempt, gateStores } from "./attempt.ts";
import { checkWords, SECRET } from "./canary.ts";
import { bindDoers, bindModel, type DoerOptions } from "./doers.ts";
import { twist } from "./hostile-host.ts";
import { NEEDED, registries } from "./loops.ts";
import type { Place } from "./places.ts";
import { PRICES, type Scenario } from "./scenario.ts";
import { endedSigner } from "./signing-keys.ts";
import { OF_A_SERVICE } from "./tally.ts";
import { isUnkind, type World } from "./world.ts";

/** How often a curse strikes. */
const CURSES_MAX = 6;

/** Lets a worker advance a run. */
export function startAttempt(world: World, place: Place, worker: number): Attempt {
  const { clock, promises, today, scenario, random } = world;
  const { run, watch } = place;
  const isShort = isUnkind(world) && random.chance(scenario.shortage);
  const lack = isShort ? random.pick(listLacks(scenario)) : undefined;
  const attempt = createAttempt({ worker, run, today, lack }, clock);
  world.attempts.push(attempt);
  const isChanged = scenario.codeChanges && isUnkind(world) && random.chance(0.15);
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
    // A broken promise is remembered; the simulation looks at it after the step.
    .catch(() => {});
  return attempt;
}

/**
 * The turn with other semantics is invented: a worker that seals a cancelled one as it stands would
 * seal that.
 */
function listLacks({ isCancelled }: Scenario): readonly BlockCause[] {
  const lacks = BLOCK_CAUSES.filter((cause) => !OF_A_SERVICE.has(cause));
  return isCancelled ? lacks.filter((cause) => cause !== "unspoken") : lacks;
}

interface EndedAttempt {
  readonly attempt: Attempt;
  readonly advanced: Advanced;
}

function endAttempt(world: World, place: Place, { attempt, advanced }: EndedAttempt): void {
  attempt.end();
  const { dues } = advanced;
  if (dues.kind !== "blocked") return;
  // It is no end: a worker that has the missing part goes on.
  if (dues.why === attempt.lack) {
    world.tally.count(`fate blocked-${dues.why}`);
    return;
  }
  place.blocked = dues.why;
  const isExpected = dues.why === "stale" && world.isSnapshotAhead && place.level === 0;
  if (isExpected) world.tally.count("stop projection-stale");
  else world.promises.hold(false, `the run is blocked: ${dues.why}`);
}

/** A worker may lose its epoch or its store; any other error is a fault of ours. */
const lawful: ReadonlySet<string> = new Set(["LOG_FENCED", "STORE_FULL", "STORE_UNREACHABLE"]);

function failAttempt({ promises }: World, attempt: Attempt, error: unknown): void {
  attempt.end();
  const isLawful = isLoopError(error) && lawful.has(error.code);
  promises.hold(isLawful, `a worker fails: ${String(error)}`);
  checkWords(String(error), "an error", promises);
}

interface Worker {
  readonly attempt: Attempt;
  /** True when its code takes other paths than the code that wrote the log. */
  readonly isChanged: boolean;
}

function openPorts(world: World, place: Place, { attempt, isChanged }: Worker): HostPorts {
  const { watch, run } = place;
  const { lack } = attempt;
  if (isChanged) {
    place.hasChangedCode = true;
    world.tally.count("fault code-changed");
  }
  const options = doerOptions(world, place, attempt);
  const doers = bindDoers(options);
  const signer = world.keys.open(world.clock.now());
  return {
    stores: gateStores(seeStores(world, place, { attempt, isChanged }), attempt, {
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
    signer: gateSigner(lack === "key-ended" ? endedSigner(signer) : signer, attempt),
    registry: pickRegistry(lack),
    models: new Map([["scripted", bindModel(options)]]),
    tools: pickTools(lack, doers),
    secrets: memorySecrets({ vault: SECRET }),
    prices: PRICES,
    ...(attempt.today === undefined ? {} : { policy: attempt.today.policy }),
  };
}

/** Where a root is missed, what needs it is a tool that every other worker has without one. */
function pickTools(lack: BlockCause | undefined, doers: ToolBindings): BoundTools {
  const name = `local.${NEEDED}`;
  const { [name]: needed, ...fewer } = doers;
  if (lack === "tool-missing") return bindTools(fewer);
  if (lack !== "root-missing" || typeof needed !== "object") return bindTools(doers);
  return bindTools({ ...fewer, [name]: { ...needed, artifacts: { root: "site" } } }, {});
}

function pickRegistry(lack: BlockCause | undefined): Registry {
  if (lack === "loop-missing") return registries.lacking;
  return lack === "loop-changed" ? registries.changed : registries.deployed;
}

/** Signing takes its time, and so does asking who signs. */
function gateSigner({ current, sign, ...signer }: Signer, attempt: Attempt): Signer {
  return {
    ...signer,
    sign: (data) => attempt.pass("sign", () => sign(data)),
    ...(current === undefined
      ? {}
      : {
          current: async (nowMs: number) => {
            const found = await attempt.pass("signer", () => current(nowMs));
            return found === undefined ? undefined : gateSigner(found, attempt);
          },
        }),
  };
}

/** Without these nothing can be done at all. */
const blinding: ReadonlySet<unknown> = new Set([
  "loop-missing",
  "loop-changed",
  "tool-missing",
  "root-missing",
]);

function doerOptions(world: World, place: Place, attempt: Attempt): DoerOptions {
  const { promises, clock, scenario } = world;
  const { watch, authority, sent } = place;
  const isBlind = blinding.has(attempt.lack);
  return {
    attempt,
    outside: world.outside,
    random: world.random,
    tally: world.tally,
    eagerness: scenario.eagerness,
    generosity: scenario.generosity,
    // Also in a kind world: hostile values must not keep a run from its end there either.
    weirdness: scenario.weirdness,
    mayFail: () => isUnkind(world),
    isCursed: () => scenario.isCursed && world.curses < CURSES_MAX && isUnkind(world),
    onTool: (tool, request) => {
      promises.hold(!isBlind, `${tool} acts in a worker that lacks something: ${attempt.lack}`);
      watch.onTool(tool, request, clock.now());
      const { key, effect, args } = request;
      authority.onAct({ key, tool, effect, args });
    },
    onModel: ({ messages }) => {
      promises.hold(!isBlind, `a model is asked by a worker that lacks something: ${attempt.lack}`);
      watch.onModel(attempt.epoch);
      const said = canonicalize(messages as unknown as JsonValue);
      const claim = watch.events().findLast((event) => isClaimOf("model", event));
      sent.push({ claim: claim?.sequence ?? 0, messages: said });
      const isHidden = !said.includes(SECRET);
      promises.hold(isHidden, "I10: a model is told a secret");
    },
    onReconcile: (key) => watch.onReconcile(key, clock.now()),
  };
}

/**
 * The stores with what may be wrong with them, and the log as code with other step paths would have
 * written it.
 */
function seeStores(
  world: World,
  { watch, level }: Place,
  { attempt: { lack }, isChanged }: Worker,
): Stores {
  const { stores } = world;
  const { log, receipts, runs, inbox } = stores;
  const open = watch.projection().openTurn;
  const renamed = isChanged
    ? watch
        .events()
        .slice((open?.from ?? 1) - 1)
        .findLast(({ call }) => call !== undefined)?.call
    : undefined;
  const rename = (event: LoopEvent): LoopEvent => {
    if (lack === "unspoken" && event.type === "turn.started")
      return { ...event, content: { ...event.content, semantics: SEMANTICS + 1 } };
    return event.call !== undefined && event.call === renamed
      ? { ...event, call: uuidFrom("other") }
      : event;
  };
  const ahead = (snapshot: RunSnapshot | undefined): RunSnapshot | undefined => {
    if (snapshot === undefined || !world.isSnapshotAhead || level > 0) return snapshot;
    const sequence = snapshot.sequence + 1_000;
    const turns = Number(snapshot.state["turns"]) + 1;
    return { ...snapshot, sequence, state: { ...snapshot.state, sequence, turns } };
  };
  const { lie } = world.scenario;
  const put: Stores["inbox"]["put"] = (message) => {
    const isAboutChild = level === (message.kind === "result" ? 1 : 0);
    const told = isAboutChild ? twist(message, lie) : message;
    if (told !== message) world.tally.count(`fault ${lie}`);
    return inbox.put(told);
  };
  return {
    ...stores,
    inbox: { ...inbox, put },
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
