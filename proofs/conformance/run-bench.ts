/**
 * Runs as the conformance suite sees them: one store, and one life of the program after another.
 */
import { signerFromEnvironment } from "@turnseal/adapters/keys";
import {
  parseAdvance,
  parseClock,
  parseCrash,
  parseLose,
  parseOfRun,
  parseStart,
  parseTell,
  type RunMessage,
} from "@turnseal/conformance/program";
import {
  createLocalHost,
  createRunClient,
  type LocalHost,
  type LocalHostOptions,
  type RunClient,
} from "@turnseal/host";
import { type LiveBus, memoryLiveBus, type Stores, seededIds } from "@turnseal/ports";
import {
  type ContentDigest,
  canonicalize,
  type Grant,
  invariant,
  type JsonValue,
  type LoopDef,
  type LoopEvent,
  type Policy,
  sha256Hex,
} from "@turnseal/protocol";
import type { PublicKey } from "@turnseal/protocol/receipts";
import {
  createLosses,
  type Losses,
  type ProgramLife,
  passTime,
  startLife,
  type VirtualClock,
  withLosses,
} from "@turnseal/testing/world";
import { describeAdvanced } from "./describe-advanced.ts";
import { describeRequest, describeStanding } from "./describe-requests.ts";
import { answerConversation, answerSession, watchCallbacks } from "./describe-session.ts";
import { createFileBench } from "./file-bench.ts";
import { attachmentsOf } from "./given-files.ts";
import { graphMethods } from "./graph-bench.ts";
import { answerRefusal, sendToRun, type Told } from "./send-to-run.ts";
import { createTenantStores } from "./tenant-stores.ts";

type Answer = Readonly<Record<string, unknown>>;
type Method = (params: unknown) => Promise<Answer>;

/** The parts of runs, as they were loaded and scripted last. */
export interface RunWorld
  extends Pick<LocalHostOptions, "models" | "tools" | "policy">,
    Required<Pick<LocalHostOptions, "prices" | "secrets">> {
  readonly definitions: readonly LoopDef[];
}

/** With the folders that are bound here. */
type HostWorld = RunWorld & Pick<LocalHostOptions, "roots">;

export interface RunBench {
  readonly methods: Readonly<Record<string, Method>>;
  /** Puts a message into the inbox of the run that is being advanced. */
  tell(message: RunMessage): Promise<Answer>;
  /** The program ends; the store stays. */
  end(): void;
  /** From then on it is about the runs of this tenant. */
  open(tenant: string): void;
  /** Nothing is left. */
  remove(): void;
}

interface Living {
  readonly host: LocalHost;
  /** The client that starts its runs. */
  readonly client: RunClient;
  /** The bus for live output. */
  readonly live: LiveBus;
  readonly life: ProgramLife;
}

const issuer = "ci";
// Thirty-two public bytes: everything that is signed here is thrown away.
const seed = Buffer.alloc(32, 0x0c).toString("base64");
const signer = await signerFromEnvironment({
  TURNSEAL_SIGN_SEED_BASE64: seed,
  TURNSEAL_SIGN_ISSUER: issuer,
});

/** How long a run may go on in one request: the vector decides when to stop. */
const SLICE_MS = 10 ** 12;

export interface BenchOptions {
  readonly clock: VirtualClock;
  /** True when stored data must survive the program. */
  readonly isDurable: boolean;
}

export function createRunBench(
  world: () => RunWorld,
  { clock, isDurable }: BenchOptions,
): RunBench {
  const scratch = createTenantStores(clock, isDurable);
  const losses = createLosses();
  const files = createFileBench(clock);
  let living: Living | undefined;
  let current = "";

  const stores = (): Stores => withLosses(scratch.open(), losses);
  const live = (): Living => {
    living ??= startHost({ ...world(), roots: files.roots }, startLife(stores(), clock));
    return living;
  };
  const toTell = (): Told => {
    const { host, life } = live();
    return { host, inbox: life.stores.inbox };
  };
  const end = (): void => {
    living?.life.end();
    living = undefined;
    scratch.close();
  };

  const advance: Method = async (params) => {
    const { run, once, fleet = false } = parseAdvance(params, "advance");
    current = run;
    const { host, life } = live();
    const sliceMs = once === true ? 0 : SLICE_MS;
    const work = host.advance(run, { sliceMs, quarantines: fleet });
    const advanced = await passTime(Promise.race([work, life.crashed]), clock);
    if (advanced !== undefined) return describeAdvanced(run, advanced, host);
    end();
    return { due: "crashed" };
  };
  const methods: Readonly<Record<string, Method>> = {
    // A loop's own bindings may refuse it.
    start: async (params) => answerRefusal(async () => startRun(live().host, params)),
    advance,
    stream: async (params) => {
      const { run } = parseAdvance(params, "stream");
      return watchCallbacks({ stores: stores(), live: live().live, run }, () => advance(params));
    },
    tell: async (params) => {
      const { run, message } = parseTell(params, "tell");
      return sendToRun(toTell(), run, message);
    },
    ...lookingMethods(() => live().host, stores),
    ...graphMethods({ clock, live, stores }),
    ...files.methods(stores),
    clock: async (params) => moveClock(clock, params),
    crash: async (params) => planCrash(live().life, params),
    lose: async (params) => loseRows(stores(), losses, params),
  };
  return {
    methods,
    tell: (message) => sendToRun(toTell(), current, message),
    end,
    open: scratch.use,
    remove: () => {
      end();
      scratch.remove();
    },
  };
}

function planCrash(life: ProgramLife, params: unknown): Answer {
  const { before, after, nth = 1 } = parseCrash(params, "crash");
  const when = before === undefined ? "after" : "before";
  life.crashAt({ when, type: before ?? after ?? "", nth });
  return {};
}

function moveClock(clock: VirtualClock, params: unknown): Answer {
  const { passMs = 0, at } = parseClock(params, "clock");
  if (at !== undefined) clock.set(Date.parse(at));
  clock.pass(passMs);
  return { now: new Date(clock.now()).toISOString() };
}

/** The methods that read a run, without moving it. */
function lookingMethods(host: () => LocalHost, stores: () => Stores): Record<string, Method> {
  return {
    standing: async (params) => {
      const standing = await host().standing(readRun(params));
      return { standing: standing.map(describeStanding) };
    },
    requests: async (params) => {
      const waiting = await host().requests(readRun(params));
      const asked = waiting.filter((request) => request.kind !== "unknown");
      return { requests: asked.map(describeRequest) };
    },
    contents: async (params) => ({ texts: await readContents(host(), stores(), params) }),
    events: async (params) => ({ events: await collect(host(), readRun(params)) }),
    receipts: async (params) => listReceipts(stores(), readRun(params)),
    project: async (params) => digestState(host(), readRun(params)),
    replay: async (params) => replayTurns(host(), readRun(params)),
    session: async (params) => answerSession(stores(), params),
    conversation: async (params) => answerConversation(stores(), readRun(params)),
  };
}

function readRun(params: unknown): string {
  return parseOfRun(params, "run").run;
}

function startHost({ definitions, ...world }: HostWorld, life: ProgramLife): Living {
  invariant(signer !== undefined, "the seed is a key");
  const live = memoryLiveBus();
  const options = {
    ...world,
    live,
    loops: definitions.map((definition) => ({ definition })),
    stores: life.stores,
    clock: life.clock,
    ids: seededIds("conformance"),
    signer,
  };
  // As with workers: what a host lacks is for its turns to meet, and not for the start.
  const client = createRunClient(options);
  const host = { ...createLocalHost(options), start: client.start };
  return { host, client, live, life };
}

async function startRun(host: LocalHost, params: unknown): Promise<Answer> {
  const { loop, version, input, grant, policy, files, ...rest } = parseStart(params, "start");
  // The host refuses an unregistered loop, in its own words.
  const unknown = { id: loop, version: version ?? "0.0.0" } as LoopDef;
  const definition = host.registry.resolve(loop, version)?.definition ?? unknown;
  return answerRefusal(async () => {
    const run = await host.start({ definition }, input as never, {
      ...rest,
      ...attachmentsOf(files),
      grant: grant as unknown as Grant,
      ...(policy === undefined ? {} : { policy: policy as unknown as Policy }),
    });
    return { kind: "started", run };
  });
}

async function collect(host: LocalHost, run: string): Promise<readonly LoopEvent[]> {
  const events: LoopEvent[] = [];
  for await (const event of host.events(run)) events.push(event);
  return events;
}

/** Everything that the events of a run name and the store has beside them. */
async function readContents(host: LocalHost, { blobs }: Stores, params: unknown) {
  const run = readRun(params);
  const named = JSON.stringify(await collect(host, run)).matchAll(/hmac-sha256:[0-9a-f]{64}/g);
  const texts: string[] = [];
  for (const [digest] of named) {
    const bytes = await blobs.read(run, digest as ContentDigest);
    if (bytes !== undefined) texts.push(new TextDecoder().decode(bytes));
  }
  return texts;
}

async function digestState(host: LocalHost, run: string): Promise<Answer> {
  const projection = (await host.show(run)) ?? null;
  return { digest: sha256Hex(canonicalize(projection as unknown as JsonValue)) };
}

async function replayTurns(host: LocalHost, run: string): Promise<Answer> {
  const turns: Answer[] = [];
  for await (const { turn, replayed } of host.replay(run))
    turns.push({ turn, kind: replayed.kind });
  return { turns };
}

async function loseRows(stores: Stores, losses: Losses, params: unknown): Promise<Answer> {
  const { run, receipt, eventsAfter, snapshot, content, erased } = parseLose(params, "lose");
  if (erased === true) await stores.blobs.erase(run);
  if (content !== undefined) losses.contents.push(content);
  if (receipt !== undefined) losses.receipts.add(`${run} ${receipt}`);
  if (snapshot === true) await stores.runs.drop(run);
  const [last] = eventsAfter === undefined ? [] : await stores.log.read(run, eventsAfter, 1);
  if (last !== undefined) losses.heads.set(run, { sequence: last.sequence, hash: last.hash });
  return {};
}

async function listReceipts({ receipts }: Stores, run: string): Promise<Answer> {
  invariant(signer !== undefined, "the seed is a key");
  const { keyId, x: encodedKey } = signer;
  const validFrom = "2026-01-01T00:00:00.000Z";
  const key: PublicKey = { keyId, x: encodedKey, issuer, validFrom };
  const stored = await receipts.list(run, 1);
  return {
    receipts: stored.map(({ turn, id, envelope }) => ({
      turn,
      id,
      text: canonicalize(envelope as unknown as JsonValue),
    })),
    keys: [key],
  };
}
