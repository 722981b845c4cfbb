import type { LoopDef } from "@turnseal/protocol";
import type { Random } from "./random.ts";

/**
 * Composites that refer to each other at random. Half of the graphs only lead forwards, so that
 * calls multiply; the others lead also backwards, to themselves and to nothing.
 */
export function createLoopGraph(random: Random): LoopDef[] {
  const size = 1 + random.below(8);
  const isForward = random.next() < 0.5;
  const stepsMax = random.pick([2, 4, 12]);
  const ids = Array.from({ length: size }, (_, index) => `node-${index}`);
  return ids.map((id, index) => {
    const targets = isForward ? ["echo", ...ids.slice(index + 1)] : ["echo", ...ids];
    const isOdd = () => !isForward && random.next() < 0.05;
    const steps = Array.from({ length: 1 + random.below(stepsMax) }, () => ({
      loopId: isOdd() ? "missing" : random.pick(targets),
      inputMapping: { name: isOdd() ? "$.input.absent.deep" : "$.input.name" },
    }));
    return {
      ...{ id, name: id, version: "1.0.0", inputSchema: {}, outputSchema: {} },
      kind: "composite",
      composite: { steps },
    };
  });
}
