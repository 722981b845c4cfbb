/** The runtime as the conformance suite sees it: one answer per request (spec/conformance.md). */
import { createRequire } from "node:module";
import {
  type CallRequest,
  PROFILES,
  PROTOCOL_VERSION,
  parseCallRequests,
  parseGet,
  parseLoad,
  parseScript,
  type Script,
} from "@turnseal/conformance";
import { createExecutor, createRegistry, type Executor } from "@turnseal/kernel";
import { type EventSink, type Model, randomIds, systemClock, type Tool } from "@turnseal/ports";
import { createScriptedBackend, type SeenBackendRequest } from "./scripted-backend.ts";
import { createScriptedTool, type SeenToolCall } from "./scripted-tool.ts";

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
    reset: () => {
      bench = createBench();
      return {};
    },
    load: (params) => bench.load(params),
    list: () => bench.list(),
    get: (params) => bench.get(params),
    script: (params) => bench.script(params),
    call: (params) => bench.call(params),
  };
  return new Map(Object.entries(methods));
}

/** A registry with a script: everything that `reset` throws away. */
function createBench(): Record<"load" | "get" | "script" | "call", Method> & { list(): Answer } {
  const registry = createRegistry();
  let seen = createSightings();
  let executor = createScriptedExecutor({}, () => seen);

  function createScriptedExecutor(script: Script, sightings: () => Sightings): Executor {
    const world = bindScript(script, sightings);
    return createExecutor({ registry, clock: systemClock, ids: randomIds, ...world });
  }

  return {
    load: (params) => {
      const { documents, mode } = parseLoad(params, "load");
      return { documents: documents.map((document) => loadDocument(document, mode)) };
    },
    list: () => ({
      loops: registry.list().map(({ definition: { id, version } }) => ({ id, version })),
    }),
    get: (params) => {
      const { id, version } = parseGet(params, "get");
      return { document: registry.resolve(id, version)?.definition ?? null };
    },
    script: (params) => {
      executor = createScriptedExecutor(parseScript(params, "script"), () => seen);
      return {};
    },
    call: async (params) => {
      const { calls } = parseCallRequests(params, "call");
      seen = createSightings();
      const answers = await Promise.all(calls.map((call) => answerCall(executor, call)));
      return { calls: answers, ...seen };
    },
  };

  function loadDocument(document: unknown, mode: "strict" | "lenient"): Answer {
    const registration = registry.register(document, { mode });
    if (registration.kind === "refused") {
      const problems = registration.problems.map(({ path, message }) => ({ path, message }));
      return { kind: "rejected", problems };
    }
    const { id, version } = registration.loop.definition;
    return { kind: "accepted", id, version };
  }
}

interface Sightings {
  readonly backendRequests: SeenBackendRequest[];
  readonly toolCalls: SeenToolCall[];
}

function createSightings(): Sightings {
  return { backendRequests: [], toolCalls: [] };
}

function bindScript(
  { backends = {}, tools = {} }: Script,
  sightings: () => Sightings,
): { readonly models: Record<string, Model>; readonly tools: Record<string, Tool> } {
  return {
    models: mapTable(backends, (replies, id) =>
      createScriptedBackend(id, replies, (request) => sightings().backendRequests.push(request)),
    ),
    tools: mapTable(tools, (actions, name) =>
      createScriptedTool(name, actions, (call) => sightings().toolCalls.push(call)),
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
