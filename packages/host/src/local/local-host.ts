/**
 * The local host: runs in one process, with one store and someone at the keyboard.
 *
 * It starts runs, tells them things, and advances them. It has no authority of its own: what a turn
 * may do is in the run's grant, and the kernel holds it to that.
 */
import {
  bindLoops,
  bindTools,
  createRegistry,
  pinReferences,
  type Registry,
  type ToolBindings,
} from "@turnseal/kernel";
import {
  type Clock,
  type Ids,
  type Model,
  type PutAnswer,
  randomIds,
  type Signer,
  type Stores,
  scriptedModel,
  systemClock,
} from "@turnseal/ports";
import {
  FAILURES_MAX_DEFAULT,
  type Grant,
  type JsonObject,
  type JsonValue,
  type Loop,
  type LoopEvent,
  type PriceTable,
  type Problem,
  parseGrant,
  RESUMES_MAX_DEFAULT,
  type RunPolicy,
  type RunSpec,
  TURNS_MAX_DEFAULT,
  takeJson,
  uuidFrom,
} from "@turnseal/protocol";
import { type Advanced, type AdvanceOptions, advance, type HostPorts } from "../advance.ts";
import { readEvents } from "../load-projection.ts";
import type { OpenClaim, RunProjection } from "../projection/run-projection.ts";
import { checkResume, type ResumeCheck } from "./check-resume.ts";
import { driveRun } from "./drive-run.ts";
import { HostError } from "./host-error.ts";
import {
  cancelMessage,
  resolveMessage,
  type SignalToSend,
  signalMessage,
  type UnknownAnswer,
} from "./inbox-messages.ts";
import { readRun } from "./read-run.ts";
import { replayRun, type TurnReplay } from "./replay-run.ts";

export interface LocalHostOptions {
  /** Every loop that may be run, also as a step or a tool of another. */
  readonly loops: readonly Loop<never, unknown>[];
  readonly stores: Stores;
  readonly signer: Signer;
  readonly models?: Readonly<Record<string, Model>>;
  /** Functions for tool loops that were written as documents. */
  readonly tools?: ToolBindings;
  readonly prices?: PriceTable;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

export interface StartOptions {
  readonly grant: Grant;
  readonly policy?: Partial<RunPolicy>;
  /** The same key starts the same run: a second start with equal input is no second run. */
  readonly key?: string;
}

export interface LocalHost {
  readonly registry: Registry;
  /** Makes a run durable and answers with its id. It moves when it is advanced. */
  start<Input>(loop: Loop<Input, unknown>, input: Input, options: StartOptions): Promise<string>;
  /** Carries a run to where it waits or stops, or until its slice is over. */
  advance(run: string, options?: AdvanceOptions): Promise<Advanced>;
  /** Carries a run until it stops or only a person can help; waits for times in between. */
  drive(run: string, options?: AdvanceOptions): Promise<Advanced>;
  signal(run: string, signal: SignalToSend): Promise<PutAnswer>;
  cancel(run: string, cancel: { readonly key: string; readonly by: string }): Promise<PutAnswer>;
  /** A person's word on what became of an unknown action. */
  resolve(run: string, answer: UnknownAnswer & { readonly key: string }): Promise<PutAnswer>;
  /**
   * What has changed since the run was started, and what is open; undefined for a run that has not
   * begun.
   */
  checkResume(run: string): Promise<ResumeCheck | undefined>;
  /** Runs every closed turn again from its record, and compares. */
  replay(run: string): AsyncGenerator<TurnReplay>;
  /** The state of a run, or undefined when there is none. */
  show(run: string): Promise<RunProjection | undefined>;
  events(run: string, from?: number): AsyncGenerator<LoopEvent>;
  /** What the run's last turn gave, if it completed: its type is the loop's own. */
  readOutput<Output>(loop: Loop<never, Output>, run: string): Promise<Output | undefined>;
}

/** The most that a run's input may be. */
export const RUN_INPUT_BYTES_MAX = 1024 * 1024;

/** Binds loops, stores and a signer into a host. */
export function createLocalHost(options: LocalHostOptions): LocalHost {
  const { stores, clock = systemClock, ids = randomIds } = options;
  const registry = registerLoops(options.loops);
  const ports: HostPorts = {
    stores,
    clock,
    ids,
    signer: options.signer,
    registry,
    models: new Map(Object.entries({ scripted: scriptedModel(), ...options.models })),
    tools: bindTools({ ...bindLoops(options.loops), ...options.tools }),
    ...(options.prices === undefined ? {} : { prices: options.prices }),
  };
  const { put } = stores.inbox;
  return {
    registry,
    start: async (loop, input, start) => {
      const run =
        start.key === undefined
          ? ids.create(`runs/${clock.now()}`)
          : uuidFrom(`local\n${start.key}`);
      const body = {
        spec: createSpec(registry, loop, start) as unknown as JsonObject,
        input: takeInput(input),
      };
      const answer = await put({ run, key: "start", kind: "start", body });
      if (answer.kind === "refused") {
        throw new HostError(
          "RUN_CONFLICT",
          `the key ${start.key} has started a run with other input`,
        );
      }
      return run;
    },
    advance: (run, advanceOptions) => advance(run, ports, advanceOptions),
    drive: (run, advanceOptions) => driveRun(run, ports, advanceOptions),
    signal: (run, signal) => put(signalMessage(run, signal)),
    cancel: (run, cancel) => put(cancelMessage(run, cancel)),
    resolve: async (run, { key, ...answer }) => {
      const claim = findUnknown(await readRun(stores, run), key);
      return put(resolveMessage(run, claim, answer));
    },
    checkResume: async (run) => {
      const projection = await readRun(stores, run);
      if (projection === undefined || projection.spec === null) return undefined;
      return checkResume({ ...projection, spec: projection.spec }, { ...ports, log: stores.log });
    },
    replay: (run) => replayRun(run, ports),
    show: (run) => readRun(stores, run),
    events: (run, from = 1) => readEvents(stores.log, run, from),
    readOutput: async <Output>({ definition }: Loop<never, Output>, run: string) => {
      const projection = await readRun(stores, run);
      if (projection?.spec?.loop !== definition.id) return undefined;
      // The kernel validated it by the loop's own schema, from which `Output` was inferred.
      return (await readLastOutput(stores, projection)) as Output | undefined;
    },
  };
}

function registerLoops(loops: LocalHostOptions["loops"]): Registry {
  const registry = createRegistry();
  for (const { definition } of loops) {
    const registration = registry.register(definition);
    if (registration.kind === "refused") {
      throw new HostError(
        "LOOP_REFUSED",
        `loop ${definition.id} is refused: ${describe(registration.problems)}`,
      );
    }
  }
  return registry;
}

function describe(problems: readonly Problem[]): string {
  return problems.map(({ path, message, mend }) => `${path} ${message}; ${mend}`).join(" | ");
}

/** What the run is, with every default filled in. */
function createSpec(
  registry: Registry,
  { definition }: Loop<never, unknown>,
  { grant, policy }: StartOptions,
): RunSpec {
  const loop = registry.resolve(definition.id, definition.version);
  if (loop === undefined)
    throw new HostError(
      "LOOP_UNKNOWN",
      `${definition.id} ${definition.version} is not one of the host's loops`,
    );
  const parsed = parseGrant(grant);
  if ("problem" in parsed) throw new HostError("GRANT_REFUSED", parsed.problem);
  return {
    loop: definition.id,
    version: definition.version,
    pinned: pinReferences(registry, loop),
    grant: parsed,
    policy: {
      turnsMax: TURNS_MAX_DEFAULT,
      failuresMax: FAILURES_MAX_DEFAULT,
      resumesMax: RESUMES_MAX_DEFAULT,
      ...policy,
    },
  };
}

function takeInput(input: unknown): JsonValue {
  const taken = takeJson(input, RUN_INPUT_BYTES_MAX);
  if (taken.kind === "refused") throw new HostError("INPUT_REFUSED", `the input ${taken.reason}`);
  return taken.value;
}

async function readLastOutput(
  { blobs }: Stores,
  { run, lastTurn }: RunProjection,
): Promise<unknown> {
  const digest = lastTurn?.output?.digest;
  const bytes = digest === undefined ? undefined : await blobs.read(run, digest);
  return bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
}

/** The claim that a person's answer is about. */
function findUnknown(projection: RunProjection | undefined, key: string): OpenClaim {
  const claim = projection?.openTurn?.open.find((open) => open.isUnknown && open.key === key);
  if (claim === undefined)
    throw new HostError("CLAIM_NOT_UNKNOWN", `no action of the key ${key} waits for an answer`);
  return claim;
}
