/**
 * A run whose model, tools, people and clock can say anything. The stores are healthy, so every
 * failure is our own.
 */
import { createLocalHost, type LocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  FINISH_REASONS,
  type ManualClock,
  type Model,
  type ModelResult,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import type { Grant, JsonValue, Needs, RunBounds } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { hostileError, hostileJson, hostileValue } from "./hostile-values.ts";
import type { Random } from "./random.ts";

export interface HostileWorld {
  readonly host: LocalHost;
  readonly stores: Stores;
  readonly clock: ManualClock;
  /** Starts the run; undefined when its start is refused, which is a good end. */
  start(): Promise<string | undefined>;
}

const signer = await createMemorySigner();
const anything = jsonSchema<JsonValue>(true);
const budget = { turns: 4, toolCalls: 12, effects: 6, modelCalls: 12, handoffs: 2 };

export function openHostileWorld(random: Random): HostileWorld {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const loops = defineLoops(random);
  const host = createLocalHost({
    ...{ loops, stores, signer, clock, ids: seededIds(`hostile ${random.next()}`) },
    models: { scripted: hostileModel(random) },
  });
  const [root] = loops;
  const grant: Grant = {
    grantor: "ada",
    tools: ["local.odd", "turnseal.question"],
    handoffs: ["child"],
    budget: { ...budget, turns: 8 },
  };
  return {
    host,
    stores,
    clock,
    start: async () => {
      try {
        const input = random.next() < 0.5 ? {} : hostileJson(random);
        return await host.start(root, input, { key: "run", grant, bounds: pickBounds(random) });
      } catch {
        return undefined;
      }
    },
  };
}

function pickBounds(random: Random): Partial<RunBounds> {
  const goal = { path: "$.output.done", equals: true };
  const more = { turnsMax: 5, failuresMax: 4 };
  return random.pick<Partial<RunBounds>>([
    { failuresMax: 3 },
    { ...more, goal, nextInput: { previous: "$.output", all: "$.input" } },
    { ...more, goal, nextInput: { previous: "$.output", signal: "$.signals" } },
    { ...more, goal, summaries: 2 },
    { ...more, awaits: ["message"], nextInput: { text: "$.signals.message" } },
  ]);
}

function defineLoops(random: Random): [Loop<JsonValue, JsonValue>, ...Loop<never, unknown>[]] {
  const shared = { version: "1.0.0", input: anything, output: anything };
  const effect = random.pick(["read", "idempotent", "reconcile", "once"] as const);
  const odd = defineTool({
    ...{ ...shared, id: "odd", implementation: "local.odd", effect, build: "b" },
    run: (_, context) => {
      if (random.next() < 0.2) context.log("info", String(random.pick(["a\0b", "\ud800"])));
      if (random.next() < 0.3) throw hostileError(random);
      return hostileValue(random) as JsonValue;
    },
    ...(effect === "reconcile" ? { reconcile: async () => hostileValue(random) as never } : {}),
    ...(random.next() < 0.2 ? { needs: () => hostileValue(random) as Needs } : {}),
    ...(random.next() < 0.2 ? { gate: () => hostileValue(random) as never } : {}),
  });
  const question = defineTool({
    ...{ ...shared, id: "question", implementation: "turnseal.question" },
    ...(random.next() < 0.5 ? { config: { withinMs: 60_000 } } : {}),
    run: () => null,
  });
  const child = definePrompt({ ...shared, id: "child", template: "go", tools: [odd] });
  const slice = { tools: ["local.odd"], budget: { ...budget, turns: 2, handoffs: 0 } };
  const delegate = defineTool({
    ...{ ...shared, id: "delegate", implementation: "turnseal.handoff" },
    config: { loop: "child", grant: slice },
    run: () => null,
  });
  const root = definePrompt({
    ...{ ...shared, id: "root", template: "go" },
    tools: [odd, question, delegate],
  });
  return [root, odd, question, child, delegate];
}

const asked = [
  ...["local__odd", "turnseal__question", "turnseal__handoff", "turnseal__handoff"],
  ...["unheard__of", "\0"],
];

function hostileModel(random: Random): Model {
  return {
    defaultModel: "hostile",
    generate: async () => {
      const chosen = random.next();
      if (chosen < 0.05) throw hostileError(random);
      if (chosen < 0.1) return hostileValue(random) as ModelResult;
      return {
        content: Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => hostilePart(random)),
        finishReason: random.next() < 0.97 ? random.pick(FINISH_REASONS) : ("odd" as "stop"),
        usage:
          random.next() < 0.95
            ? { inputTokens: 3, outputTokens: 4 }
            : (hostileValue(random) as ModelResult["usage"]),
        ...(random.next() < 0.1 ? { answeredBy: hostileJson(random) as string } : {}),
      };
    },
  };
}

function hostilePart(random: Random): ModelResult["content"][number] {
  const input = write(random.next() < 0.4 ? { a: 1 } : hostileJson(random));
  const providerData = random.next() < 0.1 ? { providerData: hostileJson(random) as never } : {};
  if (random.next() < 0.6)
    return { kind: "text", text: write(hostileJson(random)), ...providerData };
  const toolCallId = random.pick(["1", "2", "3", "4", "a\0b", ""]);
  return { kind: "tool-call", toolCallId, toolName: random.pick(asked), input, ...providerData };
}

function write(value: JsonValue): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Nested deeper than the writer goes.
    return "[".repeat(20_000);
  }
}
