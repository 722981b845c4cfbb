/** A chat in a run, and what its model is sent. */
import { createThreadCache } from "@turnseal/kernel";
import {
  type Model,
  ModelError,
  type ScriptedReply,
  type Stores,
  scriptedModel,
} from "@turnseal/ports";
import type { Grant, LoopDef, ModelContent, ModelMessage, RunBounds } from "@turnseal/protocol";
import { replayRun } from "../../replay/replay-run.ts";
import { ask, openWorld, RUN, type SampleWorld } from "../sample-world.test.data.ts";

const bounds: Partial<RunBounds> = {
  awaits: ["message"],
  nextInput: { word: "$.signals.message" },
  turnsMax: 200,
};

const look: LoopDef = {
  ...{ id: "look", name: "look", version: "1.0.0", inputSchema: true, outputSchema: true },
  kind: "tool",
  tool: { implementation: "local.look" },
};
export const agent: LoopDef = {
  ...ask,
  prompt: {
    ...{ template: "{{word}}", variables: ["word"], systemPrompt: "Be brief." },
    tools: [{ loopId: "look" }],
    maxRounds: 4,
  },
};

export interface ChatOptions {
  readonly replies: readonly ScriptedReply[];
  readonly loop?: LoopDef;
  readonly bounds?: Partial<RunBounds>;
  /** True when every step is made by another process, which has nothing at hand. */
  readonly isCold?: boolean;
  readonly run?: () => unknown;
  /** Answers by its requests, instead of the replies. */
  readonly answer?: (lines: readonly string[]) => ScriptedReply | Refusal | undefined;
  readonly grant?: Partial<Grant>;
  /** Overrides of the model. */
  readonly model?: Partial<Model>;
  readonly loops?: readonly LoopDef[];
}

export interface Refusal {
  readonly refusal: string;
}

/** A chat, and what its model was sent, request by request. */
export function openChat({
  replies,
  loop = agent,
  run = () => ({ seen: true }),
  ...given
}: ChatOptions) {
  const script = scriptedModel(replies);
  const requests: ModelMessage[][] = [];
  const model: Model = {
    defaultModel: "scripted",
    ...given.model,
    generate: async (request) => {
      requests.push([...request.messages]);
      const reply = given.answer?.(request.messages.map(toLine));
      if (typeof reply === "object" && "refusal" in reply)
        throw new ModelError({ code: "MODEL_REFUSED", retry: "never", message: reply.refusal });
      return (reply === undefined ? script : scriptedModel([reply])).generate(request);
    },
  };
  let see = (stores: Stores): Stores => stores;
  const options = {
    ...{ loop, model, bounds: { ...bounds, ...given.bounds }, input: { word: "one" } },
    loops: [look, ...(given.loops ?? [])],
    tools: { "local.look": { effect: "read" as const, run: async () => run() } },
    grant: { tools: ["local.look"], ...given.grant },
  };
  let world = openWorld(options);
  const cache = createThreadCache();
  const step = async (): Promise<string> => {
    if (given.isCold === true) world = openWorld({ ...options, see, after: world });
    else Object.assign(world.ports, { threadCache: cache });
    return world.end();
  };
  return {
    world: () => world,
    messages: () => requests,
    sent: () => requests.map((messages) => messages.map(toLine)),
    see: (seen: typeof see) => {
      see = seen;
    },
    start: async () => {
      await world.start();
      return step();
    },
    say: async (payload: string) => {
      const body = { name: "message", payload, by: "me" };
      await world.put({ key: `signal:${payload}`, kind: "signal", body });
      return step();
    },
    step,
  };
}

export function toLine(message: ModelMessage): string {
  switch (message.role) {
    case "system":
    case "user":
      return `${message.role}: ${message.text}`;
    case "assistant":
      return `assistant: ${message.content.map(toWords).join(" ")}`;
    case "tool":
      return `tool: ${JSON.stringify(message.result)}`;
  }
}

function toWords(part: ModelContent): string {
  if (part.kind === "source" || part.kind === "file") return part.kind;
  return part.kind === "tool-call" ? `calls ${part.toolName}` : part.text;
}

export const callLook: ScriptedReply = { toolCalls: [{ tool: "local__look", input: {} }] };

export async function replayOf(world: SampleWorld): Promise<string[]> {
  const kinds: string[] = [];
  for await (const { replayed } of replayRun(RUN, world.ports)) kinds.push(replayed.kind);
  return kinds;
}

export function isSame(one: readonly string[], other: readonly string[] | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Answers to what it is sent, and to nothing else. */
export function answerBy(
  wanted: readonly (readonly string[])[],
  replies: readonly ScriptedReply[],
): (lines: readonly string[]) => ScriptedReply {
  return (lines) => {
    const index = wanted.findIndex((known) => isSame(known, lines));
    return replies[index] ?? `unforeseen: ${lines.at(-1)}`;
  };
}
