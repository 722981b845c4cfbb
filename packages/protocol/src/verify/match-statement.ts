/** Compares a receipt with the events it is about (spec/receipt.md §6.3). */
import type { RawEvent } from "../log/raw-event.ts";
import { buildStatement, type Statement } from "../receipt/statement.ts";
import { renderCanonically } from "./render-canonically.ts";

export type StatementMatch =
  | { readonly kind: "same" }
  /**
   * `sequence`: the first event that no receipt vouches for; absent when all events are as sealed.
   */
  | { readonly kind: "different"; readonly sequence?: number };

/** Builds the statement of a turn again and compares the two whole. */
export function matchStatement(
  statement: Statement,
  { turn, sealedUntil, read }: SealedTurn,
): StatementMatch {
  if (renderCanonically(buildStatement(turn)) === renderCanonically(statement))
    return { kind: "same" };
  const { last } = statement.predicate.events;
  let vouched = sealedUntil;
  for (const { sequence, hash } of listPoints(statement)) {
    if (read(sequence)?.hash !== hash) return { kind: "different", sequence: vouched + 1 };
    vouched = sequence;
  }
  return vouched === last && last === turn.at(-1)?.sequence
    ? { kind: "different" }
    : { kind: "different", sequence: vouched + 1 };
}

export interface SealedTurn {
  readonly turn: readonly RawEvent[];
  /** The last event that an earlier receipt vouches for. */
  readonly sealedUntil: number;
  /** An event of the run by its sequence number. */
  readonly read: (sequence: number) => RawEvent | undefined;
}

/** Every event whose hash the receipt names, in the order of the log. */
function listPoints({ predicate }: Statement): { sequence: number; hash: string }[] {
  const { effects, events } = predicate;
  const named = effects.flatMap(({ approval, claim, end }) => [
    ...(approval === undefined ? [] : [approval, ...approval.decisions]),
    claim,
    ...(end === undefined ? [] : [end]),
  ]);
  return [...named, { sequence: events.last, hash: events.head }].sort(
    (a, b) => a.sequence - b.sequence,
  );
}
