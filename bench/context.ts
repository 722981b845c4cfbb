/**
 * What a round costs in a thread of 10,000 entries against one of 100: one run that goes on past
 * its rounds, whose model asks for a tool every time. With `flat` nothing is left out, so that
 * every request shows all entries; with `summary` the oldest are summarised again and again. The
 * model looks at none of them.
 */
import { createLocalHost } from "@turnseal/host";
import {
  type Model,
  type ModelResult,
  memoryStores,
  randomIds,
  systemClock,
} from "@turnseal/ports";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { definePrompt, defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";
import { createSigner } from "./sample-turn.ts";

export interface ContextSize {
  /** Entries at the end; each round adds two. */
  readonly entries: number;
  /** Rounds that are compared at either end. */
  readonly span: number;
}

const SIZE: ContextSize = { entries: 10_000, span: 200 };
const EARLY_ENTRIES = 100;
const WARM_UP_ENTRIES = 2_000;
const GROWTH_GOAL = 1.2;

export const benchContext: Benchmark = () => measureContext(SIZE);

export async function measureContext(size: ContextSize): Promise<readonly Figure[]> {
  return [...(await measureStrategy("flat", size)), ...(await measureStrategy("summary", size))];
}

type Measured = "flat" | "summary";

/** Tokens that a request may have: so many that nothing is left out, or few. */
const ROOM: Readonly<Record<Measured, number>> = { flat: 10_000_000, summary: 4_000 };

async function measureStrategy(
  strategy: Measured,
  { entries, span }: ContextSize,
): Promise<readonly Figure[]> {
  await runRounds(strategy, Math.min(entries, WARM_UP_ENTRIES) / 2);
  const rounds = await runRounds(strategy, entries / 2);
  const early = rounds.slice(EARLY_ENTRIES / 2, EARLY_ENTRIES / 2 + span);
  const late = rounds.slice(-span);
  const sides = { early, late };
  const of = (read: (round: Round) => number) => {
    const [one, other] = Object.values(sides).map((side) => median(side.map(read)));
    return { early: one ?? Number.NaN, late: other ?? Number.NaN };
  };
  const time = of(({ us }) => us);
  const bytes = of(({ bytes: stored }) => stored);
  const name = `${strategy}, ${entries.toLocaleString("en")} entries against ${EARLY_ENTRIES}`;
  return [
    {
      name: `a round, ${name}`,
      columns: { "early us": time.early, "late us": time.late, ratio: time.late / time.early },
      goal: { column: "ratio", atMost: GROWTH_GOAL },
    },
    {
      name: `event bytes of a round, ${name}`,
      columns: {
        ...{ "early bytes": bytes.early, "late bytes": bytes.late },
        ratio: bytes.late / bytes.early,
      },
      goal: { column: "ratio", atMost: GROWTH_GOAL },
    },
  ];
}

interface Round {
  /** Of CPU: other programs do not count. */
  readonly us: number;
  /** Of the claim of its request. */
  readonly bytes: number;
}

async function runRounds(strategy: Measured, wanted: number): Promise<readonly Round[]> {
  const starts: number[] = [];
  const look = defineTool({
    ...{ id: "look", version: "1.0.0", effect: "read", build: "1" },
    input: z.object({}),
    output: z.object({ seen: z.boolean() }),
    run: () => ({ seen: true }),
  });
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", tools: [look], maxRounds: 32 },
    input: z.object({ task: z.string() }),
    output: z.object({ text: z.string() }),
    ...{ template: "{{task}}", context: { strategy } },
    backend: { id: "instant" },
  });
  const model: Model = {
    defaultModel: "instant",
    generate: async ({ messages }) => {
      // The agent has no system prompt, and whoever summarises has one.
      if (messages[0]?.role === "system") return shorten();
      const { user, system } = process.cpuUsage();
      starts.push(user + system);
      const id = String(starts.length);
      const call = { kind: "tool-call", toolCallId: id, toolName: "local__look", input: "{}" };
      const isLast = starts.length > wanted;
      return {
        content: [isLast ? { kind: "text", text: "done" } : (call as never)],
        finishReason: isLast ? "stop" : "tool-calls",
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
  const stores = memoryStores(systemClock);
  const host = createLocalHost({
    ...{ loops: [withRoom(agent, ROOM[strategy]), look], stores, signer: createSigner() },
    ...{ clock: systemClock, ids: randomIds, models: { instant: model } },
  });
  const grant = { grantor: "bench", tools: ["local.look"], budget: {} };
  const bounds = { turnsMax: 100_000, onRoundsExhausted: "continue" as const };
  const run = await host.start(
    withRoom(agent, ROOM[strategy]),
    { task: "go on" },
    { grant, bounds },
  );
  await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
  const sizes: number[] = [];
  for (let from = 1; ; ) {
    const events = await stores.log.read(run, from);
    if (events.length === 0) break;
    from += events.length;
    for (const event of events) if (isRound(event)) sizes.push(canonicalize(event).length);
  }
  return starts.slice(1).map((start, index) => ({
    us: start - (starts[index] ?? start),
    bytes: sizes[index + 1] ?? Number.NaN,
  }));
}

/** A request of the agent, and not one for a summary. */
function isRound({ type, parentCall }: LoopEvent): boolean {
  return type === "action.claimed" && parentCall === undefined;
}

function shorten(): ModelResult {
  return {
    content: [{ kind: "text", text: "looked, and looked again" }],
    finishReason: "stop",
    usage: { inputTokens: 10, outputTokens: 5 },
  };
}

function withRoom<Loop extends { readonly definition: object }>(
  loop: Loop,
  contextTokensMax: number,
): Loop {
  return { ...loop, definition: { ...loop.definition, policy: { contextTokensMax } } };
}
