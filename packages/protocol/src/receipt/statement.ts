/**
 * The statement of a receipt: a pure function of the turn's events (spec/receipt.md §3).
 *
 * 1. With the events, anyone can build it again and compare; nothing in it comes from anywhere
 *    else.
 * 2. Its size follows from the turn alone: what came before is named by one digest.
 * 3. It is defined for any events: a fact that an event lacks is absent.
 */
import type { Spending } from "../budget/budget.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import { invariant } from "../error.ts";
import type { Proof } from "../grant/compare-grants.ts";
import type { Grant } from "../grant/grant.ts";
import type { BlobRef } from "../log/blob-ref.ts";
import type { EventPoint } from "../log/event-point.ts";
import { type AnyEvent, type RawEvent, toRaw } from "../log/raw-event.ts";
import type { GroupOutcome, MemberEnd, TurnOutcome } from "../outcomes.ts";
import type { ParentClaim } from "../run/parent-claim.ts";
import type { Trigger } from "../run/trigger.ts";
import { type EffectRecord, listEffects, pickTexts } from "./effect-record.ts";
import { listGroups } from "./group-fold.ts";
import type { Issuer } from "./public-key.ts";

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const PREDICATE_TYPE = "https://turnseal.dev/receipt/v1";

export interface Statement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly [
    { readonly name: string; readonly digest: { readonly sha256: string } },
  ];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: Predicate;
}

export interface Predicate {
  readonly run: string;
  readonly turn: number;
  /** The claim of another run that started this one. */
  readonly parent?: ParentClaim;
  readonly semantics: number;
  readonly outcome: TurnOutcome;
  /** Why, when the outcome is not `completed`. */
  readonly reason?: string;
  readonly startedAt: string;
  readonly closedAt: string;
  readonly events: { readonly first: number; readonly last: number; readonly head: string };
  /** The loop that the turn was to run. */
  readonly loop: string;
  readonly version: string;
  /** Every loop that was called, each once, in the order of its first call. */
  readonly loops: readonly LoopDigest[];
  readonly input: BlobRef;
  readonly output?: BlobRef;
  readonly grant: Grant;
  readonly budget: { readonly before: Spending; readonly after: Spending };
  readonly effects: readonly EffectRecord[];
  /** How each group of the turn ended. */
  readonly groups?: readonly GroupRecord[];
  /** Documents of the turn, by plain digest. */
  readonly guidance?: readonly GuidanceRef[];
  /** The event that set the turn going, and the people behind it, by id. */
  readonly trigger?: Trigger;
  readonly starters?: readonly string[];
  /** The digests of the rules that it was judged by: the run's own, and those of its day. */
  readonly rules?: { readonly pinned?: string; readonly current?: string };
  /** Where a grant was narrowed, and the proof that it was. */
  readonly proofs?: readonly ProofRecord[];
  /** The receipt of the turn before; absent for the first. */
  readonly previous?: string;
  /** The key of the turn: the same in every attempt. */
  readonly turnKey?: string;
  readonly key: { readonly id: string; readonly issuer: Issuer };
}

/** The event that records a narrower grant, and its proof. */
export interface ProofRecord extends EventPoint {
  readonly proof: Proof;
}

/** A group, by the event that says how it ended. */
export interface GroupRecord {
  readonly path: string;
  readonly outcome: GroupOutcome;
  readonly members: readonly { readonly key: string; readonly end: MemberEnd }[];
  readonly asked?: number;
  readonly closed: EventPoint;
}

export interface LoopDigest {
  readonly loop: string;
  readonly version: string;
  readonly digest: string;
}

export interface GuidanceRef {
  readonly digest: string;
  readonly size: number;
  readonly mediaType: string;
}

/** A statement as it is built: its fields hold the values of the events, unchecked. */
export type StatementDraft = Omit<Statement, "predicate"> & { readonly predicate: JsonObject };

/** The name of the turn for in-toto. */
export function subjectName(run: string, turn: number): string {
  return `turnseal:run/${run}/turn/${turn}`;
}

/** Facts that a receipt takes from `turn.started` and from `turn.closed` as they are. */
const factsOfStart = [
  ...["semantics", "loop", "version", "input", "grant", "guidance", "parent"],
  ...["trigger", "starters", "rules"],
];
const factsOfEnd = ["outcome", "reason", "output", "key"];

/** Builds the statement from the events of one turn, from `turn.started` to `turn.closed`. */
export function buildStatement(recorded: readonly AnyEvent[]): StatementDraft {
  const events = recorded.map(toRaw);
  const first = events[0];
  const last = events.at(-1);
  invariant(first?.type === "turn.started" && last?.type === "turn.closed", "a turn is whole");
  const { run, turn = 0, at: startedAt, content: start } = first;
  const { hash: head, at: closedAt, content: end } = last;
  const { previousReceipt: previous, key: turnKey } = start;
  const proofs = listProofs(events);
  const groups = listGroups(events);
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: subjectName(run, turn), digest: { sha256: head } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      ...pickFacts(start, factsOfStart),
      ...pickFacts(end, factsOfEnd),
      run,
      turn,
      startedAt,
      closedAt,
      events: { first: first.sequence, last: last.sequence, head },
      loops: listLoops(events),
      budget: { before: start["spending"] ?? null, after: end["spending"] ?? null },
      effects: listEffects(events),
      ...(groups.length === 0 ? {} : { groups }),
      ...(proofs.length === 0 ? {} : { proofs }),
      ...(typeof previous === "string" ? { previous } : {}),
      ...(typeof turnKey === "string" ? { turnKey } : {}),
    },
  };
}

function pickFacts(content: JsonObject, names: readonly string[]): JsonObject {
  const picked: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = content[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

function listProofs(events: readonly RawEvent[]): JsonObject[] {
  return events.flatMap(({ type, sequence, hash, content: { proof } }) => {
    const isNarrowing = type === "call.started" || type === "action.claimed";
    return isNarrowing && isPlainObject(proof) ? [{ sequence, hash, proof }] : [];
  });
}

function listLoops(events: readonly RawEvent[]): JsonObject[] {
  const loops = new Map<string, JsonObject>();
  for (const { type, content } of events) {
    if (type !== "call.started") continue;
    const loop = pickTexts(content, ["loop", "version", "digest"]);
    const name = JSON.stringify(loop);
    if (!loops.has(name)) loops.set(name, loop);
  }
  return [...loops.values()];
}
