/** Reads the effects of a run that matter to a rollback, and its handoffs. */

import type { RunProjection } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import type {
  ArtifactChanges,
  BlobRef,
  EventOf,
  LoopEvent,
  Resolution,
  ToolFacts,
} from "@turnseal/protocol";
import { fromBase64, type Predicate, type Statement } from "@turnseal/protocol/receipts";
import { readEvents } from "../../state/load-projection.ts";

interface Place {
  readonly run: string;
  readonly turn: number;
  readonly key: string;
}

/** An effect of a tool, and how it ended. */
export interface ToolEffect extends Place, Pick<ToolFacts, "compensation" | "irreversible"> {
  readonly kind: "tool";
  readonly tool: string;
  /** The place of its claim. */
  readonly sequence: number;
  readonly request: BlobRef;
  /** True where its request has an answer beside its input. */
  readonly isContinued: boolean;
  /** The action that it undid itself. */
  readonly takesBack?: ToolFacts["takesBack"];
  readonly end: EffectEnd;
  /** The compensation that may have acted: its end is unknown. */
  readonly attempt?: UnknownCompensation;
}

/** A compensation that may have acted. */
export interface UnknownCompensation extends Place {
  readonly tool: string;
  /** False while a person may still resolve it. */
  readonly isAbandoned: boolean;
}

/** A run that was handed to. */
export interface HandoffEffect extends Place {
  readonly kind: "handoff";
  readonly child: string;
  /** False without a known end: it may still begin. */
  readonly isEnded: boolean;
}

export type RunEffect = ToolEffect | HandoffEffect;

/** `open` while it is unknown; `abandoned` after a person said that it stays unknown. */
export type EffectEnd =
  | {
      readonly kind: "done";
      readonly at: string;
      readonly result: BlobRef | undefined;
      /** The files that it changed, where it did. */
      readonly artifacts?: ArtifactChanges;
      /** It failed, after it had changed files. */
      readonly hasFailed?: true;
      /** A person said so: only the result is known. */
      readonly isSaid?: true;
    }
  | { readonly kind: "nothing" | "open" | "abandoned" };

/** Reads the effects of a run in the order of its log. Actions that only read do not count. */
export async function readEffects({ log }: Pick<Stores, "log">, run: string): Promise<RunEffect[]> {
  return collectEffects(run, readEvents(log, run, 1));
}

export type ReadEffects = (run: string) => Promise<readonly RunEffect[]>;

/** Reads the log of each run once, for what is to be found out in one go. */
export function createReadEffects(stores: Pick<Stores, "log">): ReadEffects {
  const known = new Map<string, Promise<readonly RunEffect[]>>();
  return (run) => {
    const effects = known.get(run) ?? readEffects(stores, run);
    known.set(run, effects);
    return effects;
  };
}

/**
 * Reads the effects of one turn of a stopped run, from the events that its receipt names and from
 * late answers of people. So its cost does not depend on the length of the run. Empty if the turn
 * has no receipt.
 */
export async function readEffectsOfTurn(
  { log, receipts }: Pick<Stores, "log" | "receipts">,
  { run, turns }: Pick<RunProjection, "run" | "turns">,
  turn: number,
): Promise<RunEffect[]> {
  const own = await readTurnRange(receipts, run, turn);
  const last = turn === turns ? own : await readTurnRange(receipts, run, turns);
  if (own === undefined || last === undefined) return [];
  return collectEffects(
    run,
    (async function* () {
      for await (const event of readEvents(log, run, own.first)) {
        if (event.sequence > own.last) break;
        yield event;
      }
      yield* readEvents(log, run, last.last + 1);
    })(),
  );
}

export async function readTurnRange(
  receipts: Stores["receipts"],
  run: string,
  turn: number,
): Promise<Predicate["events"] | undefined> {
  const receipt = await receipts.read(run, turn);
  const payload = receipt === undefined ? undefined : fromBase64(receipt.envelope.payload);
  if (payload === undefined) return undefined;
  const { predicate } = JSON.parse(new TextDecoder().decode(payload)) as Statement;
  return predicate.events;
}

async function collectEffects(run: string, events: AsyncIterable<LoopEvent>): Promise<RunEffect[]> {
  const effects = new Map<string, RunEffect>();
  for await (const event of events) {
    const claimed = event.type === "action.claimed" ? toEffect(run, event) : undefined;
    if (claimed !== undefined) {
      // A claim in the place of another stands where the act does.
      effects.delete(claimed.key);
      effects.set(claimed.key, claimed);
    }
    const ended = readEnd(event);
    const effect = ended === undefined ? undefined : effects.get(ended.key);
    if (ended === undefined || effect === undefined) continue;
    effects.set(
      effect.key,
      effect.kind === "tool" ? { ...effect, end: ended.end } : { ...effect, isEnded: true },
    );
  }
  return withoutUndone(run, [...effects.values()]);
}

/**
 * An action that its group has undone counts as undone, and so does its compensation. If the end
 * of the compensation is unknown, the action may be undone: it keeps the attempt.
 */
function withoutUndone(run: string, effects: readonly RunEffect[]): RunEffect[] {
  const undone = new Set<string>();
  const attempt = new Map<string, UnknownCompensation>();
  for (const effect of effects) {
    if (effect.kind !== "tool" || effect.takesBack?.run !== run) continue;
    if (effect.end.kind === "done") undone.add(effect.key).add(effect.takesBack.key);
    const unknown = toUnknown(effect);
    if (unknown === undefined) continue;
    attempt.set(effect.takesBack.key, unknown);
    // It is reported with the action that it was to undo. An open one still waits for a person.
    if (unknown.isAbandoned) undone.add(effect.key);
  }
  const nothing = { end: { kind: "nothing" } } as const;
  return effects.map((effect) => {
    if (effect.kind !== "tool") return effect;
    if (undone.has(effect.key)) return { ...effect, ...nothing };
    const unknown = attempt.get(effect.key);
    return unknown === undefined ? effect : { ...effect, attempt: unknown };
  });
}

/** A compensation that may have acted, named for the actions that it leaves. */
export function toUnknown({
  run,
  turn,
  key,
  tool,
  end,
}: ToolEffect): UnknownCompensation | undefined {
  return end.kind === "open" || end.kind === "abandoned"
    ? { run, turn, key, tool, isAbandoned: end.kind === "abandoned" }
    : undefined;
}

function toEffect(
  run: string,
  { turn, sequence, content }: EventOf<"action.claimed">,
): RunEffect | undefined {
  const place = { run, turn: turn ?? 0, key: content.key };
  if (content.action === "handoff")
    return { ...place, kind: "handoff", child: content.child, isEnded: false };
  if (content.action !== "tool" || content.effect === "read") return undefined;
  const { tool, request, compensation, irreversible, takesBack, answers } = content;
  const isContinued = answers !== undefined;
  return {
    ...place,
    ...{ kind: "tool", tool, sequence, request, isContinued, end: { kind: "open" } },
    ...(compensation === undefined ? {} : { compensation }),
    ...(irreversible === undefined ? {} : { irreversible }),
    ...(takesBack === undefined ? {} : { takesBack }),
  };
}

function readEnd(event: LoopEvent): { readonly key: string; readonly end: EffectEnd } | undefined {
  switch (event.type) {
    case "action.settled": {
      const { key, status, result } = event.content;
      const artifacts = event.content.action === "tool" ? event.content.artifacts : undefined;
      // A settled failure did nothing, or else it would still be open as unknown. But files that it
      // had changed by then stay changed, and are recorded.
      if (status !== "ok" && artifacts === undefined) return { key, end: { kind: "nothing" } };
      const changed = artifacts === undefined ? {} : { artifacts };
      const failed = status === "ok" ? {} : { hasFailed: true as const };
      return { key, end: { kind: "done", at: event.at, result, ...changed, ...failed } };
    }
    case "action.resolved":
    case "run.resolved":
      return { key: event.content.key, end: endOf(event.content.resolution, event) };
    default:
      return undefined;
  }
}

function endOf(
  resolution: Resolution,
  { at, content: { result } }: EventOf<"action.resolved" | "run.resolved">,
): EffectEnd {
  if (resolution === "happened") return { kind: "done", at, result, isSaid: true };
  // An action that may be done again may have been done: without a later claim, its end stays
  // unknown.
  const isKnown = resolution === "never" || resolution === "orphaned";
  return { kind: isKnown ? "nothing" : "abandoned" };
}
