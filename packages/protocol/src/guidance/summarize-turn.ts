import { canonicalize, type JsonValue } from "../canonical-json.ts";
import type { TurnOutcome } from "../outcomes.ts";
import type { GuidanceDocument } from "./guidance.ts";

/** UTF-16 units of an output in a summary; a longer one is cut. */
export const SUMMARY_LENGTH_MAX = 4_096;

export interface TurnToSummarize {
  readonly turn: number;
  readonly outcome: TurnOutcome;
  /** Why, when it did not complete. */
  readonly reason?: string;
  readonly output?: JsonValue;
}

/** The summary of a closed turn for later turns: a pure function of its receipt. */
export function summarizeTurn(closed: TurnToSummarize): GuidanceDocument {
  const { turn, outcome, reason, output } = closed;
  const lines = [
    `turn ${turn}: ${outcome}${reason === undefined ? "" : `, ${reason}`}`,
    ...(output === undefined ? [] : [`output: ${cut(canonicalize(output))}`]),
  ];
  return { ref: `turns/${turn}`, text: lines.join("\n") };
}

function cut(text: string): string {
  if (text.length <= SUMMARY_LENGTH_MAX) return text;
  // A pair that is cut in the middle would be no text any more.
  return `${text.slice(0, SUMMARY_LENGTH_MAX).toWellFormed()} [cut]`;
}
