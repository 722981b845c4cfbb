/**
 * Measures the cost of a fan-out's item inside one turn, by the number of items.
 *
 * Each item is one call of a tool that answers at once, on the memory store. Only the processor
 * time of this thread counts; the runs of both widths take turns, and the median of the ratios of
 * the rounds is reported.
 */

import { createLocalHost, type LocalHost } from "@turnseal/host";
import { memoryStores, type Signer, systemClock } from "@turnseal/ports";
import type { JsonValue, LoopDef } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { median } from "./median.ts";
import type { Benchmark } from "./report.ts";
import { createSigner } from "./sample-turn.ts";

const FEW = 8;
const MANY = 256;
const ROUNDS = 9;
const RATIO_GOAL = 1.3;

export const benchItems: Benchmark = async () => {
  const signer = createSigner();
  await measure(signer, FEW);
  await measure(signer, MANY);
  const rounds: { readonly few: number; readonly many: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ few: await measure(signer, FEW), many: await measure(signer, MANY) });
  return [
    { name: `${FEW} items`, columns: { "item us": median(rounds.map(({ few }) => few)) } },
    { name: `${MANY} items`, columns: { "item us": median(rounds.map(({ many }) => many)) } },
    {
      name: `${MANY} items against ${FEW}`,
      columns: { ratio: median(rounds.map(({ few, many }) => many / few)) },
      goal: { column: "ratio", atMost: RATIO_GOAL },
    },
  ];
};

const say = defineTool({
  ...{ id: "say", version: "1.0.0", effect: "read", build: "1" },
  input: jsonSchema<JsonValue>({ type: "object" }),
  output: jsonSchema<JsonValue>(true),
  run: (input) => input,
});
const definition: LoopDef = {
  ...{ id: "each", name: "each", version: "1.0.0", inputSchema: true, outputSchema: true },
  kind: "composite",
  composite: {
    flow: {
      ...{ kind: "forEach", items: "$.input.items", max: MANY },
      body: { kind: "call", loopId: "say", inputMapping: { at: "$.item" } },
    },
  },
};
const each: Loop<JsonValue, JsonValue> = { definition, uses: [say] };

/** Microseconds of the processor for one item: the runs together have the same number of them. */
async function measure(signer: Signer, items: number): Promise<number> {
  const host = createLocalHost({ loops: [each], stores: memoryStores(systemClock), signer });
  const before = process.threadCpuUsage();
  for (let run = 0; run < MANY / items; run++) await runOnce(host, items);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / MANY;
}

async function runOnce(host: LocalHost, items: number): Promise<void> {
  const list = Array.from({ length: items }, (_, index) => index);
  const grant = { grantor: "bench", tools: ["local.say"], budget: {} };
  const run = await host.start(each, { items: list }, { grant });
  const { dues } = await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
  if (dues.kind !== "done") throw new Error(`the run is ${dues.kind}`);
}
