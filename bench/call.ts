/**
 * What a call costs, as a ratio to a floor written by hand in the same run.
 *
 * The floor does the necessary work: validators compiled by ajv on both sides, the function or the
 * model, and the same events from the same ids and clock. It has no deadlines, cancelling, limits,
 * copies or other loops. Floor and subject take turns, so that other work on the machine meets
 * both, and the median of the ratios of the rounds is reported.
 */
import { bindTools, createExecutor, createRegistry } from "@turnseal/kernel";
import { type Model, randomIds, systemClock } from "@turnseal/ports";
import { createFloor } from "./floor.ts";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";
import { promptLoop, toolLoop } from "./sample-loops.ts";

const instantModel: Model = {
  defaultModel: "instant",
  generate: async () => ({
    content: [{ kind: "text", text: '{"summary":"short"}' }],
    finishReason: "stop",
    usage: { inputTokens: 10, outputTokens: 5 },
  }),
};
const add = (input: unknown) => {
  const { left, right } = input as { left: number; right: number };
  return { sum: left + right };
};

/** Calls that one executor makes, with how many executors make up a round. */
const SIZES = [
  { calls: 1, batches: 2_000 },
  { calls: 100, batches: 20 },
  { calls: 10_000, batches: 1 },
] as const;
const ROUNDS = 21;
const WARM_UP = { calls: 20_000, batches: 1 };
const RATIO_GOAL = 4;
const GROWTH_GOAL = 1.2;

type Call = () => Promise<unknown>;
type Size = { readonly calls: number; readonly batches: number };

/** Who makes the calls; a fresh one for each batch. */
interface Contender {
  readonly create: () => Call;
}

/** Measures both kinds of call at every size. */
export const benchCall: Benchmark = async () => {
  const figures: Figure[] = [];
  for (const kind of ["tool", "prompt"] as const) {
    const { subject, floor } = createPair(kind);
    await measure(subject, WARM_UP);
    await measure(floor, WARM_UP);
    const ratios: number[] = [];
    for (const size of SIZES) {
      const { floorUs, subjectUs, ratio } = await compare(subject, floor, size);
      ratios.push(ratio);
      figures.push({
        name: `${kind}, ${size.calls.toLocaleString("en")} ${size.calls === 1 ? "call" : "calls"}`,
        columns: { "floor us": floorUs, "call us": subjectUs, ratio },
        goal: { column: "ratio", atMost: RATIO_GOAL },
      });
    }
    const [, atHundred = Number.NaN, atTenThousand = Number.NaN] = ratios;
    figures.push({
      name: `${kind}, 10,000 calls against 100`,
      columns: { ratio: atTenThousand / atHundred },
      goal: { column: "ratio", atMost: GROWTH_GOAL },
    });
  }
  return figures;
};

function createPair(kind: "tool" | "prompt"): { subject: Contender; floor: Contender } {
  const registry = createRegistry();
  const world = {
    registry,
    clock: systemClock,
    ids: randomIds,
    models: { instant: instantModel },
    tools: bindTools({ "local.add": add }),
  };
  const loop = kind === "tool" ? toolLoop : promptLoop;
  const input = kind === "tool" ? { left: 1, right: 2 } : { text: "a text of some length" };
  const registration = registry.register(loop);
  if (registration.kind === "refused") throw new Error(`${loop.id} is refused`);
  const { digest } = registration.loop;
  const floor = createFloor({ loop, digest, input, act: { tool: add, model: instantModel } });
  return {
    floor: { create: () => floor },
    subject: {
      create: () => {
        const executor = createExecutor(world);
        return () => executor.call(loop.id, input);
      },
    },
  };
}

interface Comparison {
  readonly floorUs: number;
  readonly subjectUs: number;
  readonly ratio: number;
}

async function compare(subject: Contender, floor: Contender, size: Size): Promise<Comparison> {
  const rounds: Comparison[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The second contender may find the caches warm: the order changes with every round.
    const isFloorFirst = round % 2 === 0;
    const first = await measure(isFloorFirst ? floor : subject, size);
    const second = await measure(isFloorFirst ? subject : floor, size);
    const [floorUs, subjectUs] = isFloorFirst ? [first, second] : [second, first];
    rounds.push({ floorUs, subjectUs, ratio: subjectUs / floorUs });
  }
  return {
    floorUs: median(rounds.map(({ floorUs }) => floorUs)),
    subjectUs: median(rounds.map(({ subjectUs }) => subjectUs)),
    ratio: median(rounds.map(({ ratio }) => ratio)),
  };
}

/** Microseconds of one call, one after the other. */
async function measure({ create }: Contender, { calls, batches }: Size): Promise<number> {
  let spentMs = 0;
  for (let batch = 0; batch < batches; batch++) {
    const call = create();
    const startedMs = performance.now();
    for (let made = 0; made < calls; made++) await call();
    spentMs += performance.now() - startedMs;
  }
  return (spentMs * 1_000) / (calls * batches);
}
