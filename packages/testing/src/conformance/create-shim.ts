/** The runtime as the conformance suite sees it: one answer per request (spec/conformance.md). */
import { createRequire } from "node:module";
import {
  type CallRequest,
  PROFILES,
  PROTOCOL_VERSION,
  parseCallRequests,
  parseGet,
  parseLoad,
  parseReopen,
  parseReset,
  parseScript,
  type RunMessage,
  type Script,
} from "@turnseal/conformance";
import {
  bindTools,
  createExecutor,
  createRegistry,
  type Executor,
  type Registry,
} from "@turnseal/kernel";
import { type EventSink, memorySecrets, randomIds, systemClock } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { virtualClock } from "../world/virtual-clock.ts";
import { answerCanonicalize, answerCheckChain, answerVerify } from "./describe-data.ts";
import { answerJudge } from "./judge-data.ts";
import { createRunBench, type RunWorld } from "./run-bench.ts";
import { createScriptedBackend, type SeenBackendRequest } from "./scripted-backend.ts";
import { createScriptedTool, type SeenToolCall, type ToolSurroundings } from "./scripted-tool.ts";

type Answer = Readonly<Record<string, unknown>>;
type Method = (params: unknown) => Answer | Promise<Answer>;

/** The methods of the protocol, over one registry at a time. */
export function createShim(): ReadonlyMap<string, Method> {
  let bench = createBench();
  const methods: Record<string, Method> = {
    hello: () => ({
      name: "turnseal",
      version: readVersion(),
      protocol: PROTOCOL_VERSION,
      profiles: PROFILES,
    }),
    reset: (params) => {
      const { durable } = parseReset(params, "reset");
      bench.remove();
      bench = createBench(durable);
      return {};
    },
    canonicalize: answerCanonicalize,
    checkChain: answerCheckChain,
    verify: answerVerify,
    judge: answerJudge,
  };
  for (const name of Object.keys(bench.methods))
    methods[name] = (params) => bench.methods[name]?.(params) ?? {};
  return new Map(Object.entries(methods));
}

interface Bench {
  readonly methods: Readonly<Record<string, Method>>;
  remove(): void;
}

function createScriptedExecutor(
  registry: Registry,
  script: Script,
  sightings: () => Sightings,
): Executor {
  const { models, tools } = bindScript(script, sightings, { clock: systemClock, tell: refuse });
  const functions = bindTools(mapTable(tools, ({ run }) => run));
  const ports = { clock: systemClock, ids: randomIds, models, tools: functions };
  return createExecutor({ registry, ...ports });
}

/** A registry with a script and runs: everything that `reset` throws away. */
function createBench(isDurable = false): Bench {
  let registry = createRegistry();
  let seen = createSightings();
  let script: Script = {};
  let executor = createScriptedExecutor(registry, script, () => seen);
  const clock = virtualClock();
  let world = bindRuns();
  const runs = createRunBench(() => ({ ...world, definitions: listDefinitions(registry) }), {
    clock,
    isDurable,
  });

  // Bound once for each script: the world outside remembers what it was asked before a crash.
  function bindRuns(): Omit<RunWorld, "definitions"> {
    const surroundings = { clock, tell: (message: RunMessage) => runs.tell(message) };
    return bindWorld(script, () => seen, surroundings);
  }

  function loadDocuments(documents: readonly unknown[], mode: "strict" | "lenient"): Answer {
    return { documents: documents.map((document) => loadDocument(registry, document, mode)) };
  }

  const calls: Readonly<Record<string, Method>> = {
    load: (params) => {
      const { documents, mode } = parseLoad(params, "load");
      runs.end();
      return loadDocuments(documents, mode);
    },
    list: () => ({
      loops: registry.list().map(({ definition: { id, version } }) => ({ id, version })),
    }),
    get: (params) => {
      const { id, version } = parseGet(params, "get");
      return { document: registry.resolve(id, version)?.definition ?? null };
    },
    script: (params) => {
      script = parseScript(params, "script");
      runs.end();
      executor = createScriptedExecutor(registry, script, () => seen);
      world = bindRuns();
      return {};
    },
    call: async (params) => {
      const { calls: requests } = parseCallRequests(params, "call");
      seen = createSightings();
      const answers = await Promise.all(requests.map((call) => answerCall(executor, call)));
      return { calls: answers, ...seen };
    },
    reopen: (params) => {
      const { documents, tenant } = parseReopen(params, "reopen");
      runs.end();
      if (tenant !== undefined) runs.open(tenant);
      if (documents === undefined) return {};
      registry = createRegistry();
      executor = createScriptedExecutor(registry, script, () => seen);
      return loadDocuments(documents, "strict");
    },
  };
  return { methods: { ...calls, ...mapTable(runs.methods, watchWorld) }, remove: runs.remove };

  /** What a run did to the world outside is part of the answer. */
  function watchWorld(method: Method, name: string): Method {
    if (name !== "advance" && name !== "replay" && name !== "stream") return method;
    return async (params) => {
      seen = createSightings();
      return { ...(await method(params)), ...seen };
    };
  }
}

function listDefinitions(registry: Registry): RunWorld["definitions"] {
  return registry.list().map(({ definition }) => definition);
}

function refuse(): Promise<never> {
  return Promise.reject(new Error("only a run can be told something"));
}

function loadDocument(registry: Registry, document: unknown, mode: "strict" | "lenient"): Answer {
  const registration = registry.register(document, { mode });
  if (registration.kind === "refused") {
    const problems = registration.problems.map(({ path, message }) => ({ path, message }));
    return { kind: "rejected", problems };
  }
  const { id, version } = registration.loop.definition;
  return { kind: "accepted", id, version };
}

interface Sightings {
  readonly backendRequests: SeenBackendRequest[];
  readonly toolCalls: SeenToolCall[];
}

function createSightings(): Sightings {
  return { backendRequests: [], toolCalls: [] };
}

/** Everything that runs can reach. */
function bindWorld(
  script: Script,
  sightings: () => Sightings,
  surroundings: Pick<ToolSurroundings, "clock" | "tell">,
): Omit<RunWorld, "definitions"> {
  const { policy, prices = {}, secrets = {} } = script;
  return {
    ...bindScript(script, sightings, surroundings),
    prices: { asOf: "2026-01-01", models: prices },
    secrets: memorySecrets(secrets),
    ...(policy === undefined ? {} : { policy: policy as unknown as Policy }),
  };
}

function bindScript(
  { backends = {}, tools = {} }: Script,
  sightings: () => Sightings,
  { clock, tell }: Pick<ToolSurroundings, "clock" | "tell">,
) {
  return {
    models: mapTable(backends, (backend, id) =>
      createScriptedBackend(id, backend, (request) => sightings().backendRequests.push(request)),
    ),
    tools: mapTable(tools, (actions, name) =>
      createScriptedTool(name, actions, {
        clock,
        tell,
        report: (call) => sightings().toolCalls.push(call),
      }),
    ),
  };
}

function mapTable<Value, Mapped>(
  table: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value, name)]));
}

const listeners: Readonly<Record<NonNullable<CallRequest["listener"]>, EventSink>> = {
  throw: () => {
    throw new Error("the listener throws");
  },
  reject: () => Promise.reject(new Error("the listener rejects")),
  never: () => new Promise(() => {}),
};

async function answerCall(executor: Executor, call: CallRequest): Promise<Answer> {
  const { loop, version, input, listener } = call;
  const result = await executor.call(loop, input, {
    ...(version === undefined ? {} : { version }),
    ...(listener === undefined ? {} : { sink: listeners[listener] }),
  });
  return { result, inputAfter: input };
}

function readVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)("../../package.json");
  return String(Reflect.get(Object(manifest), "version"));
}
