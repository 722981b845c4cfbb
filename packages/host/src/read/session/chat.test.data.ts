/** An agent with two tools, on memory stores: every part is real, and the model is scripted. */
import {
  createMemorySigner,
  type LiveBus,
  type ManualClock,
  manualClock,
  memoryStores,
  type ScriptedModel,
  type ScriptedReply,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { Grant, JsonValue, LoopPolicy, Policy, RunBounds } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import type { EventEnvelope } from "@turnseal/protocol/events";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { readSession } from "./read-session.ts";

const signer = await createMemorySigner();

export interface ChatOptions {
  readonly replies?: readonly ScriptedReply[];
  readonly policy?: Policy;
  readonly bounds?: Partial<RunBounds>;
  readonly live?: LiveBus;
  readonly system?: string;
  readonly loopPolicy?: LoopPolicy;
  /** The answer of the filter `guard`, which `loopPolicy` may name. */
  readonly guard?: (input: JsonValue) => JsonValue;
  readonly look?: (input: JsonValue) => Promise<JsonValue> | JsonValue;
  /** The chat of an earlier process, to go on with. */
  readonly after?: Chat;
}

export interface Chat {
  readonly host: LocalHost;
  readonly model: ScriptedModel;
  readonly stores: Stores;
  readonly clock: ManualClock;
  /** The saved values, by the tool that acts once. */
  readonly saved: JsonValue[];
  start(text?: string): Promise<string>;
  /** The session so far. */
  session(run: string): Promise<readonly EventEnvelope[]>;
  /** Types and contents of it. */
  told(run: string): Promise<readonly (readonly [string, unknown])[]>;
}

const grant: Grant = {
  grantor: "ada",
  tools: ["local.look", "local.save", "local.guard", "turnseal.question"],
  budget: {},
};

/** Asks before anything is saved, and tells the model when a person says no. */
export const askToSave: Policy = {
  name: "saving",
  rules: [
    { id: "saves", decision: "ask", tools: ["local.save"], onReject: "tell" },
    { id: "rest", decision: "allow" },
  ],
};

const anything = jsonSchema<JsonValue>(true);

function createLoops(options: ChatOptions, saved: JsonValue[]) {
  const { look: see, system, loopPolicy, guard: judge = () => ({ allow: true }) } = options;
  const look = defineTool({
    id: "look",
    version: "1.0.0",
    input: jsonSchema<JsonValue>({ type: "object" }),
    output: anything,
    effect: "read",
    run: see ?? ((input) => ({ saw: input })),
  });
  const save = defineTool({
    id: "save",
    version: "1.0.0",
    input: anything,
    output: anything,
    effect: "once",
    run: (input) => {
      saved.push(input);
      return { saved: true };
    },
  });
  const colleague = defineTool({
    id: "colleague",
    version: "1.0.0",
    input: anything,
    output: anything,
    implementation: "turnseal.question",
    config: { to: "agent" },
    run: () => null,
  });
  const agent = definePrompt({
    id: "agent",
    version: "1.0.0",
    input: jsonSchema<{ text: string }>({ type: "object" }),
    output: anything,
    template: "{{text}}",
    ...(system === undefined ? {} : { system }),
    ...(loopPolicy === undefined ? {} : { policy: loopPolicy }),
    tools: [look, save, colleague],
    maxRounds: 8,
  });
  const guard = defineTool({
    ...{ id: "guard", version: "1.0.0", input: anything, output: anything, effect: "read" },
    run: judge,
  });
  // A filter that is itself a prompt: it has words of its own.
  const reader = definePrompt({
    ...{ id: "reader", version: "1.0.0", input: jsonSchema<{ value: JsonValue }>(true) },
    output: anything,
    template: "Is it fit to be read? {{value}}",
  });
  return { loops: [look, save, colleague, agent, guard, reader], agent };
}

export function openChat(options: ChatOptions = {}): Chat {
  const { after, policy, bounds, live } = options;
  const clock = after?.clock ?? manualClock();
  const stores = after?.stores ?? memoryStores(clock);
  const saved = after?.saved ?? [];
  const model = scriptedModel(options.replies);
  const { loops, agent } = createLoops(options, saved);
  const host = createLocalHost({
    loops,
    stores,
    signer,
    clock,
    ids: seededIds("chat"),
    models: { scripted: model },
    ...(live === undefined ? {} : { live }),
  });
  const session = async (run: string): Promise<readonly EventEnvelope[]> =>
    (await readSession(stores, run))?.envelopes ?? [];
  return {
    host,
    model,
    stores,
    clock,
    saved,
    start: (text = "Hello") =>
      host.start(
        agent,
        { text },
        {
          key: "chat",
          grant,
          ...(policy === undefined ? {} : { policy }),
          ...(bounds === undefined ? {} : { bounds }),
        },
      ),
    session,
    told: async (run) => (await session(run)).map(({ type, content }) => [type, content]),
  };
}

/** A model's wish for tools. */
export function askFor(...calls: readonly (readonly [string, unknown])[]): ScriptedReply {
  return { toolCalls: calls.map(([tool, input]) => ({ tool, input })) };
}
