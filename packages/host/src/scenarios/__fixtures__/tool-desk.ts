/**
 * A desk with the tools of a test: real host and kernel on memory stores, a clock that stands
 * still, and a model with a script.
 */
import {
  type AnyForm,
  contentsOf,
  type ManualClock,
  manualClock,
  memoryLiveBus,
  memorySecrets,
  memoryStores,
  type Roots,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import {
  type BlobRef,
  canonicalize,
  type Grant,
  type JsonValue,
  type LoopEvent,
  type LoopEventType,
  type Policy,
  type RunBounds,
} from "@turnseal/protocol";
import { definePrompt, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { signer, signingKey } from "./refund-desk.ts";

/** One tool call of the model: a tool by its name, and its arguments. */
export type Asked = readonly [name: string, input: JsonValue];

export interface ToolDeskOptions {
  readonly tools: readonly Loop<never, unknown>[];
  /** The tools of each round; then the model answers. A round may depend on the results so far. */
  readonly rounds: readonly (readonly Asked[] | ((told: readonly JsonValue[]) => Asked[]))[];
  readonly policy?: Policy;
  readonly grant?: Partial<Grant>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly roots?: Roots;
  readonly bounds?: Partial<RunBounds>;
}

export interface ToolDesk {
  readonly host: LocalHost;
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly run: string;
  /** The tool results that the model got, in order. */
  readonly told: JsonValue[];
  /** The pieces that watchers have seen. */
  readonly seen: LiveDelta[];
  drive(): Promise<string>;
  events(): Promise<readonly LoopEvent[]>;
  /** The contents of events of a type, in order. */
  contents<Type extends LoopEventType>(type: Type): Promise<readonly AnyForm<Type>[]>;
  /** The content that an event names. */
  read(reference: BlobRef | undefined): Promise<JsonValue>;
  /** Fails unless everything verifies, and replays byte by byte. */
  prove(): Promise<unknown>;
}

export async function openToolDesk(options: ToolDeskOptions): Promise<ToolDesk> {
  const { tools, policy, grant, secrets = {}, roots = {} } = options;
  const clock = manualClock();
  const stores = memoryStores(clock);
  const told: JsonValue[] = [];
  const seen: LiveDelta[] = [];
  const live = memoryLiveBus();
  const desk = definePrompt({
    ...{ id: "desk", version: "1.0.0", tools: [...tools], maxRounds: 8 },
    input: jsonSchema<JsonValue>(true),
    output: jsonSchema<JsonValue>(true),
    template: "Do it.",
  });
  const host = createLocalHost({
    ...{ loops: [...tools, desk], stores, signer, clock, live, ids: seededIds("tools") },
    models: { scripted: { ...scriptedModel(), generate: answerWith(options, told) } },
    secrets: memorySecrets(secrets),
    roots,
  });
  const names = tools.map(({ definition }) => definition.tool?.implementation ?? "");
  const run = await host.start(
    desk,
    {},
    {
      key: "run",
      grant: { grantor: "ada", tools: names, budget: {}, ...grant },
      ...(policy === undefined ? {} : { policy }),
      ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
    },
  );
  const watch = live.watch(run, { delta: (delta) => seen.push(delta), moved: () => {} });
  await watch.ready;
  const events = (): Promise<readonly LoopEvent[]> => stores.log.read(run, 1);
  return {
    ...{ host, clock, stores, run, told, seen, events },
    contents: async (type) => contentsOf(await events(), type),
    drive: async () => {
      const advanced = await host.advance(run);
      if (advanced.dues.kind === "blocked") return advanced.dues.why;
      return advanced.projection?.stopped ?? advanced.dues.kind;
    },
    read: async (reference) => {
      const bytes = await stores.blobs.read(run, reference?.digest ?? "");
      return JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
    },
    prove: async () => {
      const receipts: string[] = [];
      for (let turn = 1; ; turn++) {
        const receipt = await stores.receipts.read(run, turn);
        if (receipt === undefined) break;
        receipts.push(canonicalize(receipt.envelope));
      }
      const bundle = { run, events: await events(), receipts };
      const { findings } = await verifyRun(bundle, { keys: [signingKey] });
      const replayed: string[] = [];
      for await (const turn of host.replay(run))
        replayed.push(
          turn.replayed.kind === "different" ? turn.replayed.message : turn.replayed.kind,
        );
      return { findings, replayed };
    },
  };
}

type Generate = ReturnType<typeof scriptedModel>["generate"];

function answerWith({ rounds }: ToolDeskOptions, told: JsonValue[]): Generate {
  return async ({ messages }) => {
    const round = messages.filter(({ role }) => role === "assistant").length;
    const results = messages.flatMap((message) =>
      message.role === "tool" ? [message.result] : [],
    );
    told.splice(0, told.length, ...results);
    const next = rounds[round] ?? [];
    const asked = typeof next === "function" ? next(results) : next;
    const calls = asked.map(([name, input], index) => ({
      kind: "tool-call" as const,
      toolCallId: `call-${round}-${index}`,
      toolName: name.replaceAll(".", "__"),
      input: JSON.stringify(input),
    }));
    return {
      content: calls.length > 0 ? calls : [{ kind: "text" as const, text: '{"done":true}' }],
      finishReason: calls.length > 0 ? ("tool-calls" as const) : ("stop" as const),
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  };
}
