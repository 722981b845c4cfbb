/**
 * A conversation of 209k tokens at four bytes a token: 100 model calls in four turns, since a
 * prompt has at most 32 rounds. Each call answers with 3.5 KB and all but the last of a turn ask
 * for a tool, which answers with 5 KB. None of it compresses.
 */
import { randomBytes } from "node:crypto";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { type Model, randomIds, type Signer, type Stores, systemClock } from "@turnseal/ports";
import { canonicalize } from "@turnseal/protocol";
import { definePrompt, defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";

export const CALLS = 100;
export const TURNS = 4;
export const CALLS_PER_TURN = CALLS / TURNS;
const OUTPUT_BYTES = 5_000;
const ANSWER_BYTES = 3_500;

export interface Conversation {
  readonly host: LocalHost;
  readonly run: string;
  /** New bytes so far, as JSON. */
  newBytes(): number;
  /** Model calls so far. */
  calls(): number;
}

export interface ConversationOptions {
  readonly stores: Stores;
  readonly signer: Signer;
  /** Called before each model call; what it throws ends the worker there. */
  readonly onCall?: (call: number) => void;
}

/** Starts the run; it moves when it is advanced. */
export async function startConversation(options: ConversationOptions): Promise<Conversation> {
  let newBytes = 0;
  let calls = 0;
  const say = <Value>(value: Value): Value => {
    newBytes += canonicalize(value).length;
    return value;
  };
  const dig = defineTool({
    id: "dig",
    version: "1.0.0",
    input: z.object({ depth: z.number() }),
    output: z.object({ text: z.string() }),
    effect: "read",
    build: "1",
    run: () => say({ text: createNoise(OUTPUT_BYTES) }),
  });
  const study = definePrompt({
    id: "study",
    version: "1.0.0",
    input: z.object({ subject: z.string() }),
    output: z.object({ text: z.string() }),
    template: "Find out all about {{subject}}.",
    backend: { id: "digger" },
    tools: [dig],
    maxRounds: CALLS_PER_TURN,
    // No entry is left out.
    policy: { contextTokensMax: 10_000_000 },
  });
  const model: Model = {
    defaultModel: "digger",
    generate: async ({ messages }) => {
      calls += 1;
      options.onCall?.(calls);
      const depth = messages.filter(({ role }) => role === "assistant").length;
      const text = { kind: "text", text: createNoise(ANSWER_BYTES) } as const;
      const input = JSON.stringify({ depth });
      const ask = {
        kind: "tool-call",
        toolCallId: `dig-${depth}`,
        toolName: "local__dig",
        input,
      } as const;
      // Turns continue the conversation of earlier ones.
      const isLast = depth % CALLS_PER_TURN === CALLS_PER_TURN - 1;
      return {
        content: say(isLast ? [text] : [text, ask]),
        finishReason: isLast ? "stop" : "tool-calls",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  const host = createLocalHost({
    loops: [dig, study],
    stores: options.stores,
    signer: options.signer,
    clock: systemClock,
    ids: randomIds,
    models: { digger: model },
  });
  const run = await host.start(
    study,
    { subject: "the sea" },
    {
      key: "conversation",
      grant: { grantor: "bench", tools: ["local.dig"], budget: {} },
      bounds: { turnsMax: TURNS, goal: { path: "$.output.text", equals: "never" } },
    },
  );
  return { host, run, newBytes: () => newBytes, calls: () => calls };
}

function createNoise(bytes: number): string {
  return randomBytes(Math.ceil((bytes * 3) / 4))
    .toString("base64")
    .slice(0, bytes);
}
