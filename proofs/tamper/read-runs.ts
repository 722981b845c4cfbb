import { readFileSync } from "node:fs";
import type { Attempt, SealedEvent, SealedRun } from "./attack.ts";
import type { Verdict } from "./verdict.ts";

const folder = new URL("../../spec/vectors/receipt/", import.meta.url);

interface Vector {
  readonly name: string;
  readonly expect: Verdict;
  readonly input: Attempt & { readonly bundle: SealedRun["bundle"]; readonly production?: boolean };
}

/** The vectors of a file. */
export function readVectors(name: string): readonly Vector[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
}

/** The valid runs with at least one receipt. */
export function readRuns(): SealedRun[] {
  return readVectors("valid-runs")
    .map(({ input: { bundle, keys } }) => ({
      bundle,
      keys,
      sealedUntil: findSealed(bundle.events),
    }))
    .filter(({ bundle }) => bundle.receipts.length > 0);
}

function findSealed(events: readonly SealedEvent[]): number {
  return events.findLast(({ type }) => type === "turn.closed")?.sequence ?? 0;
}
