import { foldSpending, type LoopEvent } from "@turnseal/protocol";
import { bindTools } from "../actions/bind-tools.ts";
import { createContent } from "../log/content.ts";
import { type ReplayedTurn, replayTurn } from "./replay-turn.ts";
import { RUN, type SampleRun } from "./sample-run.test.data.ts";

interface ReplayOptions {
  readonly change?: (events: readonly LoopEvent[]) => readonly LoopEvent[];
  /** The time of the clock, where reading it is allowed. */
  readonly nowMs?: number;
  /** Further tools, by the names of their functions: each only reads. */
  readonly reading?: readonly string[];
}

/** Replays the only turn of a sample run: nothing is executed, or even asked. */
export async function replaySample(
  run: SampleRun,
  { change = (events) => events, nowMs, reading = [] }: ReplayOptions = {},
): Promise<ReplayedTurn> {
  const events = change(await run.events());
  const receipt = await run.stores.receipts.read(RUN, 1);
  const key = (await run.stores.blobs.readKey(RUN)) ?? new Uint8Array();
  const [started] = events;
  if (receipt === undefined || started?.type !== "turn.started")
    throw new Error("the turn is not sealed");
  const refuse = (): never => {
    throw new Error("nothing is executed in a replay");
  };
  const tools = {
    "local.pay": { effect: "once" as const, run: refuse },
    ...Object.fromEntries(
      ["local.look", ...reading].map((name) => [name, { effect: "read" as const, run: refuse }]),
    ),
  };
  const spending = foldSpending(started.content.spending, started);
  return replayTurn(
    { ...run.request, turn: 1 },
    { events, envelope: receipt.envelope },
    {
      clock: { now: () => nowMs ?? refuse(), after: refuse },
      registry: run.registry,
      effects: {
        models: new Map([
          ["sample", { defaultModel: "scripted", generate: refuse }],
          ["busy", { defaultModel: "busy", generate: refuse }],
        ]),
        tools: bindTools(tools),
        prices: undefined,
      },
      memory: {},
      control: {},
      spending: () => spending,
      content: createContent(RUN, key, run.stores.blobs),
    },
  );
}
