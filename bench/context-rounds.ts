/**
 * One run that goes on past its rounds. Its model asks for a tool every time, or writes a note, and
 * ignores its input. Each round is measured between two requests.
 */
import { createLocalHost } from "@turnseal/host";
import {
  type Model,
  type ModelResult,
  memoryStores,
  randomIds,
  type Stores,
  systemClock,
} from "@turnseal/ports";
import { type ContextSpec, canonicalize } from "@turnseal/protocol";
import { definePrompt, defineTool, noteTaker } from "@turnseal/protocol/authoring";
import { z } from "zod";
import { createSigner } from "./sample-turn.ts";

/** How the thread of the run is shown. */
export interface Scene {
  readonly name: string;
  readonly context: ContextSpec;
  /** Tokens that a request may have: so many that nothing is left out, or few. */
  readonly room: number;
  /** Whether the model writes a note in every round, or asks for a tool. */
  readonly notes?: "facts" | "tasks";
}

export interface Round {
  /** Of CPU: other programs do not count. */
  readonly us: number;
  /** Of all that is stored: events and contents. */
  readonly bytes: number;
}

const look = defineTool({
  ...{ id: "look", version: "1.0.0", effect: "read", build: "1" },
  input: z.object({}),
  output: z.object({ seen: z.boolean() }),
  run: () => ({ seen: true }),
});

export async function runRounds(scene: Scene, wanted: number): Promise<readonly Round[]> {
  const { context, room, notes } = scene;
  const starts: { readonly us: number; readonly bytes: number }[] = [];
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", tools: notes === undefined ? [look] : [noteTaker] },
    input: z.object({ task: z.string() }),
    output: z.object({ text: z.string() }),
    ...{ template: "{{task}}", maxRounds: 32, context },
    ...{ backend: { id: "instant" }, policy: { contextTokensMax: room } },
  });
  const { stores, countBytes } = watchBytes(memoryStores(systemClock));
  const model: Model = {
    defaultModel: "instant",
    generate: async ({ messages }) => {
      // The agent has no system prompt, and the summarizer has one.
      if (messages[0]?.role === "system") return answerWith("looked, and looked again");
      const { user, system } = process.cpuUsage();
      const round = starts.push({ us: user + system, bytes: countBytes() });
      return round > wanted ? answerWith("done") : askForTool(round, notes);
    },
  };
  const host = createLocalHost({
    ...{ loops: [agent, look, noteTaker], stores, signer: createSigner() },
    ...{ clock: systemClock, ids: randomIds, models: { instant: model } },
  });
  const grant = { grantor: "bench", tools: ["local.look", "turnseal.note"], budget: {} };
  const bounds = { turnsMax: 100_000, onRoundsExhausted: "continue" as const };
  const run = await host.start(agent, { task: "go on" }, { grant, bounds });
  await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
  return starts.slice(1).map(({ us, bytes }, index) => {
    const before = starts[index] ?? { us, bytes };
    return { us: us - before.us, bytes: bytes - before.bytes };
  });
}

function answerWith(text: string): ModelResult {
  return { content: [{ kind: "text", text }], finishReason: "stop", usage };
}
const usage = { inputTokens: 10, outputTokens: 5 };

function askForTool(round: number, notes: Scene["notes"]): ModelResult {
  const asked =
    notes === undefined
      ? { toolName: "local__look", input: "{}" }
      : { toolName: "turnseal__note", input: JSON.stringify(noteOf(round, notes)) };
  const call = { kind: "tool-call", toolCallId: String(round), ...asked } as const;
  return { content: [call], finishReason: "tool-calls", usage };
}

/** A fact in each round; or a task that is noted, begun and done in three. */
function noteOf(round: number, notes: "facts" | "tasks"): object {
  if (notes === "facts") return { key: "note", text: `fact ${round}` };
  const key = (["task", "start", "done"] as const)[round % 3];
  return { key, text: `task ${Math.floor(round / 3)}` };
}

/** The stores, and how much was put into their log. */
function watchBytes(stores: Stores): {
  readonly stores: Stores;
  readonly countBytes: () => number;
} {
  const { log } = stores;
  let bytes = 0;
  const watched: Stores = {
    ...stores,
    log: {
      ...log,
      append: (append) => {
        for (const event of append.events) bytes += canonicalize(event).length;
        for (const { size } of append.blobs) bytes += size;
        return log.append(append);
      },
    },
  };
  return { stores: watched, countBytes: () => bytes };
}
