/** A server on a real port, with real hosts on memory stores: two tenants, four people. */
import { createHash } from "node:crypto";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type LiveBus,
  type Model,
  memoryLiveBus,
  memoryStores,
  type Stores,
  systemClock,
} from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import type { Agent, SessionHost } from "@turnseal/sessions";
import {
  createServer,
  type ServedTenants,
  type Server,
  type ServerSettings,
} from "./create-server.ts";
import { type DrivenRuns, driveRuns } from "./drive-runs.ts";
import { apiKeys } from "./identity/api-keys.ts";
import { type ServedHttp, serve } from "./serve.ts";

const signer = await createMemorySigner();

/** The keys that people send. */
export const KEYS = {
  ada: "key-of-ada",
  bob: "key-of-bob",
  olga: "key-of-olga",
  mallory: "key-of-mallory",
} as const;
export type Person = keyof typeof KEYS;

const people = [
  { name: "ada", tenant: "alpha", roles: ["finance"] },
  { name: "bob", tenant: "alpha", roles: [] },
  { name: "olga", tenant: "alpha", roles: ["operator"] },
  { name: "mallory", tenant: "beta", roles: ["finance"] },
] as const;

export const authenticate = apiKeys(
  people.map(({ name, tenant, roles }) => ({
    sha256: createHash("sha256").update(KEYS[name]).digest("hex"),
    ...{ tenant, id: name, roles },
  })),
);

export interface Refund {
  readonly order: string;
  readonly cents: number;
}

export interface SampleServer extends ServedHttp {
  readonly server: Server;
  readonly hosts: Readonly<Record<"alpha" | "beta", TenantSample>>;
  readonly agents: Readonly<Record<"desk" | "chat" | "asking" | "hearing", Agent>>;
  /** Refunds that were made. */
  readonly made: Refund[];
  /** Asks as somebody, or as nobody. */
  ask(person: Person | undefined, path: string, body?: unknown, init?: RequestInit): Promise<Asked>;
  start(person: Person, agent: string, input: JsonValue): Promise<string>;
}

interface TenantSample extends SessionHost {
  readonly host: LocalHost;
  readonly allStores: Stores;
  /** Where its host tells, also where the server does not listen. */
  readonly bus: LiveBus;
  readonly driven: DrivenRuns;
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect to be there.
  readonly json: any;
}

export interface SampleOptions extends Partial<ServerSettings & ServedTenants> {
  readonly model?: Model;
  /** False for a server that has only the log. */
  readonly hasLive?: boolean;
}

export async function openSampleServer(options: SampleOptions = {}): Promise<SampleServer> {
  const { model = deskModel(), hasLive = true, ...serverOptions } = options;
  const made: Refund[] = [];
  const { loops, agents } = createAgents(made);
  const openTenant = (): TenantSample => {
    const stores = memoryStores(systemClock);
    const bus = memoryLiveBus();
    const host = createLocalHost({ loops, stores, signer, models: { desk: model }, live: bus });
    const driven = driveRuns({ drive: host.driveNow });
    const live = hasLive ? { live: bus } : {};
    return {
      ...host,
      ...live,
      host,
      stores,
      allStores: stores,
      bus,
      driven,
      lookAt: driven.lookAt,
    };
  };
  const hosts = { alpha: openTenant(), beta: openTenant() };
  const server = createServer({
    tenants: (tenant) => (tenant === "alpha" || tenant === "beta" ? hosts[tenant] : undefined),
    ...{ agents, authenticate },
    ...serverOptions,
  });
  const served = await serve(server, { port: 0 });
  const ask: SampleServer["ask"] = (person, path, body, init) =>
    askAt(served.url, { person, path, body, init });
  return {
    ...{ ...served, server, hosts, agents, made, ask },
    close: async () => {
      await served.close();
      await Promise.all(Object.values(hosts).map(({ driven }) => driven.close()));
    },
    start: async (person, agent, input) => {
      const { json } = await ask(person, "/v1/runs", { agent, input });
      return String(json.run);
    },
  };
}

interface Question {
  readonly person: Person | undefined;
  readonly path: string;
  readonly body: unknown;
  readonly init: RequestInit | undefined;
}

async function askAt(url: string, { person, path, body, init }: Question): Promise<Asked> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...init,
    headers: {
      ...(person === undefined ? {} : { authorization: `Bearer ${KEYS[person]}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(init?.headers as Record<string, string> | undefined),
    },
  });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

const grant = {
  grantor: "operator",
  tools: ["local.refund"],
  budget: { effects: 100, toolCalls: 200, turns: 100 },
};

function createAgents(made: Refund[]) {
  const refund = defineTool({
    ...{ id: "refund", version: "1.0.0", effect: "idempotent", build: "test" },
    input: jsonSchema<Refund>({
      type: "object",
      properties: { order: { type: "string" }, cents: { type: "integer", minimum: 1 } },
      required: ["order", "cents"],
      additionalProperties: false,
    }),
    output: jsonSchema<JsonValue>(true),
    run: async (input) => {
      made.push(input);
      return { refunded: input.cents };
    },
  });
  const desk = definePrompt({
    ...{ id: "desk", version: "1.0.0", tools: [refund], backend: { id: "desk" } },
    input: jsonSchema<{ readonly text: string }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    template: "{{text}}",
  });
  const rules = [
    { id: "large", decision: "ask", tools: ["local.refund"], role: "finance" },
  ] as const;
  const nextInput = { text: "$.signals.note.text" };
  const agents: SampleServer["agents"] = {
    desk: { loop: desk, grant, policy: { name: "refunds", rules }, bounds: { turnsMax: 1 } },
    chat: { loop: desk, grant, bounds: { awaits: ["message"] } },
    asking: {
      ...{ loop: desk, grant, policy: { name: "refunds", rules } },
      bounds: { awaits: ["message"], nextInput: { text: "$.signals.message.text" } },
    },
    hearing: { loop: desk, grant, bounds: { awaits: ["note"], nextInput } },
  };
  return { loops: [refund, desk], agents };
}

/** A model that asks for the refund in its prompt, or else says its words one by one. */
export function deskModel(pause: () => Promise<void> = async () => {}): Model {
  return {
    defaultModel: "desk-1",
    generate: async ({ messages, onDelta, signal }) => {
      const usage = { inputTokens: 1, outputTokens: 1 };
      const last = messages.at(-1);
      const asked = last?.role === "user" && /refund (\S+) (\d+)/.exec(last.text);
      if (asked) {
        const input = JSON.stringify({ order: asked[1], cents: Number(asked[2]) });
        const call = { kind: "tool-call", toolCallId: "call-1", toolName: "local__refund", input };
        return { content: [call as never], finishReason: "tool-calls", usage };
      }
      const words = ["Here ", "is ", "what ", "you ", "asked ", "for."];
      for (const text of words) {
        onDelta?.({ kind: "text", part: 0, text });
        await pause();
        signal.throwIfAborted();
      }
      return { content: [{ kind: "text", text: words.join("") }], finishReason: "stop", usage };
    },
  };
}
