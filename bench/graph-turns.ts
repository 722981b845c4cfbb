/**
 * The cost of a turn whose run keeps a graph, as a ratio to one of the same shape whose run keeps
 * none. Also the time to make the rows again from the log, and to read them.
 *
 * A run keeps a graph where it can propose a plan. So both flows have a branch that is never taken:
 * one would propose a plan there, the other would add. The two take turns, and the median of the
 * ratios of the rounds is reported.
 */

import { hashRows } from "@turnseal/folds/graph";
import { createLocalHost, type LocalHost, rebuildGraph } from "@turnseal/host";
import {
  type GraphStore,
  memoryStores,
  randomIds,
  type Signer,
  type Stores,
  systemClock,
} from "@turnseal/ports";
import { planStarter } from "@turnseal/protocol/authoring";
import type { GraphNodeRow } from "@turnseal/protocol/graph";
import { median } from "./median.ts";
import type { Figure } from "./report.ts";
import { createSigner, sampleLoops } from "./sample-turn.ts";

const TURNS = 200;
const ROUNDS = 9;
const RATIO_GOAL = 1.15;
const REBUILT_TURNS = 2_000;

export async function measureGraphTurns(): Promise<Figure[]> {
  const signer = createSigner();
  const ratios: number[] = [];
  const costs = { on: [] as number[], off: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const first = await measureTurns(signer, round % 2 === 0);
    const second = await measureTurns(signer, round % 2 !== 0);
    const [on, off] = round % 2 === 0 ? [first, second] : [second, first];
    // The first round warms up, and does not count.
    if (round === 0) continue;
    costs.on.push(on);
    costs.off.push(off);
    ratios.push(on / off);
  }
  return [
    {
      name: "a turn of a run that keeps a graph",
      columns: { "off us": median(costs.off), "on us": median(costs.on), ratio: median(ratios) },
      goal: { column: "ratio", atMost: RATIO_GOAL },
    },
    await measureRebuild(signer),
  ];
}

/** Time of the processor for one turn, in microseconds. */
async function measureTurns(signer: Signer, isKept: boolean): Promise<number> {
  const { host, start } = createSample(memoryStores(systemClock), signer, isKept);
  const run = await start(TURNS);
  const before = process.threadCpuUsage();
  const { dues } = await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
  const { user, system } = process.threadCpuUsage(before);
  if (dues.kind !== "done") throw new Error(`the run is ${dues.kind}`);
  return (user + system) / TURNS;
}

async function measureRebuild(signer: Signer): Promise<Figure> {
  const stores = memoryStores(systemClock);
  const { host, start } = createSample(stores, signer, true);
  const run = await start(REBUILT_TURNS);
  await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
  const { graphs } = stores;
  if (graphs === undefined) throw new Error("the memory store keeps graphs");
  const events = (await stores.log.readHead(run))?.sequence ?? 0;
  const started = process.threadCpuUsage();
  const rebuilt = await rebuildGraph(stores, run);
  const whole = process.threadCpuUsage(started);
  if (rebuilt.kind !== "rebuilt" || !rebuilt.isSame) throw new Error("the rows are not the same");
  const reading = process.threadCpuUsage();
  const nodes = await readNodes(graphs, run);
  hashRows(nodes);
  const read = process.threadCpuUsage(reading);
  return {
    name: "a graph, made anew",
    columns: {
      ...{ events, nodes: nodes.length },
      "from the log ms": (whole.user + whole.system) / 1_000,
      "from tables ms": (read.user + read.system) / 1_000,
    },
  };
}

async function readNodes(graphs: GraphStore, run: string): Promise<GraphNodeRow[]> {
  const nodes: GraphNodeRow[] = [];
  for (;;) {
    const page = await graphs.listNodes(run, nodes.at(-1)?.id);
    if (page.length === 0) return nodes;
    nodes.push(...page);
  }
}

interface Sample {
  readonly host: LocalHost;
  /** Starts a run that takes exactly so many turns: its goal is never reached. */
  start(turns: number): Promise<string>;
}

function createSample(stores: Stores, signer: Signer, isKept: boolean): Sample {
  const never = isKept
    ? {
        ...{ kind: "call" as const, loopId: "turnseal.plan", loopVersion: "1.0.0" },
        inputMapping: { document: "$.input", steps: { const: [] } },
      }
    : {
        ...{ kind: "call" as const, loopId: "add", loopVersion: "1.0.0" },
        inputMapping: { left: "$.input.left", right: "$.input.left" },
      };
  const loop = {
    definition: {
      ...{ id: "bench.branches", name: "branches", version: "1.0.0", kind: "composite" as const },
      ...{ inputSchema: { type: "object" }, outputSchema: true },
      composite: {
        flow: {
          kind: "sequence" as const,
          nodes: [
            {
              ...{ kind: "call" as const, loopId: "choose", name: "chosen" },
              inputMapping: { left: "$.input.left" },
            },
            { kind: "branch" as const, cases: [{ when: "input.left > 10", do: never }] },
            {
              ...{ kind: "call" as const, loopId: "add" },
              inputMapping: { left: "$.input.left", right: "$.chosen.output.right" },
            },
          ],
        },
      },
    },
    uses: [...sampleLoops.loops, planStarter],
  };
  const host = createLocalHost({
    ...sampleLoops,
    loops: [...sampleLoops.loops, planStarter, loop as never],
    ...{ stores, signer, clock: systemClock, ids: randomIds },
  });
  const start = (turnsMax: number): Promise<string> =>
    host.start(loop as never, { left: 1 } as never, {
      grant: { grantor: "bench", tools: ["local.add", "turnseal.plan"], budget: {} },
      bounds: { turnsMax, goal: { path: "$.output.sum", equals: 0 } },
    });
  return { host, start };
}
