/** The runtime as the conformance suite sees it: one answer per request (spec/conformance.md). */
import { createRequire } from "node:module";
import { PROFILES } from "@turnseal/conformance";
import {
  type CallRequest,
  PROTOCOL_VERSION,
  parseCallRequests,
  parseCompile,
  parseGet,
  parseLoad,
  parseReopen,
  parseReset,
  parseScript,
  type RunMessage,
  type Script,
} from "@turnseal/conformance/program";
import {
  bindTools,
  createExecutor,
  createRegistry,
  type Executor,
  type Registry,
} from "@turnseal/kernel";
import {
  type EventSink,
  memorySecrets,
  randomIds,
  systemClock,
  type ToolBinding,
} from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { virtualClock } from "@turnseal/testing/world";
import { compileFiles } from "./compile-files.ts";
import { answerCanonicalize, answerCheckChain, answerVerify } from "./describe-data.ts";
import { answerJudge } from "./judge-data.ts";
import { createRunBench, type RunWorld } from "./run-bench.ts";
import { createScriptedBackend, type SeenBackendRequest } from "./scripted-backend.ts";
import { createScriptedTool, type SeenToolCall, type ToolSurroundings } from "./scripted-tool.ts";
import { seatTable } from "./seat-table.ts";

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
  let brought: RunWorld["tools"] = {};
  let executor = createScriptedExecutor(registry, script, () => seen);
  const clock = virtualClock();
  let world = bindRuns();
  const runs = createRunBench(() => ({ ...world, definitions: listDefinitions(registry) }), {
    clock,
    isDurable,
  });

  // Bound once for each script: the world outside remembers its requests across a crash.
  function bindRuns(): Omit<RunWorld, "definitions"> {
    const surroundings = { clock, tell: (message: RunMessage) => runs.tell(message) };
    const bound = bindWorld(script, () => seen, surroundings);
    return { ...bound, tools: { ...bound.tools, ...brought } };
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
    compile: async (params) => {
      runs.end();
      const compiled = await answerCompile(params, registry);
      brought = compiled.tools;
      world = bindRuns();
      return compiled.answer;
    },
    seat: (params) => seatTable(params, registry, runs.end),
    ...listMethods(() => registry),
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
  const see = (): Sightings => {
    seen = createSightings();
    return seen;
  };
  const watched = mapTable(runs.methods, (method, name) => watchWorld(method, name, see));
  return { methods: { ...calls, ...watched }, remove: runs.remove };
}

/** The loaded loops, by the registry of that moment. */
function listMethods(current: () => Registry): Readonly<Record<string, Method>> {
  return {
    list: () => ({
      loops: current()
        .list()
        .map(({ definition: { id, version } }) => ({ id, version })),
    }),
    get: (params) => {
      const { id, version } = parseGet(params, "get");
      return { document: current().resolve(id, version)?.definition ?? null };
    },
  };
}

const acting: ReadonlySet<string> = new Set(["advance", "replay", "stream", "flow"]);

/** Adds the changes of a run to the outside world to the answer. */
function watchWorld(method: Method, name: string, see: () => Sightings): Method {
  if (!acting.has(name)) return method;
  return async (params) => {
    const seen = see();
    return { ...(await method(params)), ...seen };
  };
}

interface CompileAnswer {
  readonly answer: Answer;
  /** The functions of a workflow, which have no script. */
  readonly tools: RunWorld["tools"];
}

/** Compiles workflow files, and loads what they come to. */
async function answerCompile(params: unknown, registry: Registry): Promise<CompileAnswer> {
  const { files } = parseCompile(params, "compile");
  const compiled = await compileFiles(files, listDefinitions(registry));
  if (compiled.kind === "refused") return { answer: compiled, tools: {} };
  const documents = compiled.loops.map(({ definition }) => definition);
  for (const document of documents) loadDocument(registry, document, "strict");
  return { answer: { kind: "compiled", documents }, tools: bindBrought(compiled.loops) };
}

function listDefinitions(registry: Registry): RunWorld["definitions"] {
  return registry.list().map(({ definition }) => definition);
}

function bindBrought(loops: readonly Loop<never, unknown>[]): NonNullable<RunWorld["tools"]> {
  return Object.fromEntries(
    loops.flatMap(({ definition: { tool }, run, declared }) =>
      tool === undefined || run === undefined
        ? []
        : [[tool.implementation, { run: run as ToolBinding["run"], ...declared }]],
    ),
  );
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
  const manifest: unknown = createRequire(import.meta.url)("../../apps/cli/package.json");
  return String(Reflect.get(Object(manifest), "version"));
}
