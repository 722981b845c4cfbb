/** Many random sequences, half of events and half of changes, and what came of them. */
import { openProofStores } from "./open-stores.ts";
import { runChanges, runEvents, type SequenceResult } from "./run-sequences.ts";

export interface GraphProof {
  readonly sequences: number;
  readonly seed: number;
  readonly say: (words: string) => void;
}

export interface GraphFigures {
  readonly sequences: number;
  readonly steps: number;
  readonly accepted: number;
  /** Refused by the rules, and given to both databases all the same. */
  readonly forced: number;
  /** How often each rule has refused. */
  readonly refused: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly faults: readonly string[];
}

/** Sequences at a time: most of the time is spent waiting for a database. */
const LANES = 4;
const FAULTS_MAX = 20;
const TOLD_EVERY = 500;

export async function runGraphProof(request: GraphProof): Promise<GraphFigures> {
  const startedMs = performance.now();
  const proof = await openProofStores();
  const results: SequenceResult[] = [];
  const faults: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < request.sequences && faults.length < FAULTS_MAX) {
      const place = next++;
      const seed = request.seed + Math.floor(place / 2);
      const result = await (place % 2 === 0 ? runEvents : runChanges)(proof, seed);
      results.push(result);
      faults.push(...result.faults.map((words) => `seed ${seed}: ${words}`));
      if (results.length % TOLD_EVERY === 0) request.say(`${results.length} sequences`);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, work));
  } finally {
    await proof.close();
  }
  return { ...summarize(results), seconds: (performance.now() - startedMs) / 1_000, faults };
}

function summarize(results: readonly SequenceResult[]) {
  const sum = (name: "steps" | "accepted" | "forced") =>
    results.reduce((all, result) => all + result[name], 0);
  const refused: Record<string, number> = {};
  for (const result of results)
    for (const [rule, count] of result.refused) refused[rule] = (refused[rule] ?? 0) + count;
  const counts = { steps: sum("steps"), accepted: sum("accepted"), forced: sum("forced") };
  return { sequences: results.length, ...counts, refused };
}

/** True when all stores agreed on every change, and changes were tried. */
export function isKept({ faults, accepted, forced }: GraphFigures): boolean {
  return faults.length === 0 && accepted > 0 && forced > 0;
}
