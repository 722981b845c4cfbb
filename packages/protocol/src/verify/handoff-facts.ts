/** The facts of a run about the runs that it started, and about the one that started it. */
import { isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import type { Predicate } from "../receipt/statement.ts";
import type { ParentClaim } from "../run/parent-claim.ts";
import type { ExaminedRun } from "./verify-run.ts";

/** One run of a tree, as far as other runs are held against it. */
export interface RunFacts {
  readonly run: string;
  /** The specification that it was started with; undefined if its first event has none. */
  readonly spec: JsonObject | undefined;
  readonly handoffs: readonly HandoffFacts[];
  readonly hasClosedTurn: boolean;
  /** The receipt of its last closed turn, where that is valid. */
  readonly last: LastReceipt | undefined;
}

export interface LastReceipt {
  readonly id: string;
  readonly spending: Predicate["budget"]["after"];
  readonly turn: number;
  readonly outcome: Predicate["outcome"];
}

export interface HandoffFacts {
  /** Undefined if the claim names none: then it can have started no run. */
  readonly child: string | undefined;
  readonly claim: ParentClaim;
  /** The people who set its turn going. */
  readonly starters: JsonValue | undefined;
  /** The loop that was to be started, and its authority. */
  readonly content: JsonObject;
  /** False where the claim stands in the tail: nothing is proven of it. */
  readonly isSealed: boolean;
  readonly settled: RawEvent | undefined;
}

/** Picks from a run what its tree needs; nothing else of it is kept. */
export function pickRunFacts(run: string, examined: Omit<ExaminedRun, "verdict">): RunFacts {
  const { events, closedUntil, receipts } = examined;
  const [first] = events;
  const spec = first?.type === "run.started" ? first.content["spec"] : undefined;
  const last = receipts.find(({ statement }) => statement.predicate.events.last === closedUntil);
  return {
    run,
    spec: isPlainObject(spec) ? spec : undefined,
    handoffs: listHandoffs(events, closedUntil),
    hasClosedTurn: closedUntil > 0,
    last: last && describeLast(last),
  };
}

function describeLast({ id, statement }: ExaminedRun["receipts"][number]): LastReceipt {
  const { budget, turn, outcome } = statement.predicate;
  return { id, spending: budget.after, turn, outcome };
}

function listHandoffs(events: readonly RawEvent[], closedUntil: number): HandoffFacts[] {
  const claims = events.filter(
    ({ type, content }) => type === "action.claimed" && content["action"] === "handoff",
  );
  if (claims.length === 0) return [];
  const settlements = new Map<JsonValue | undefined, RawEvent>();
  for (const event of events)
    if (event.type === "action.settled" && !settlements.has(event.content["claim"]))
      settlements.set(event.content["claim"], event);
  const starters = listStarters(events);
  return claims.map(({ run, turn = 0, sequence, hash, content }) => ({
    child: typeof content["child"] === "string" ? content["child"] : undefined,
    starters: starters.get(turn),
    claim: { run, turn, sequence, hash },
    content,
    isSealed: sequence < closedUntil,
    settled: settlements.get(sequence),
  }));
}

/** The starters that each turn names. */
function listStarters(events: readonly RawEvent[]): Map<number, JsonValue | undefined> {
  const started = events.filter(({ type }) => type === "turn.started");
  return new Map(started.map(({ turn = 0, content }) => [turn, content["starters"]]));
}
