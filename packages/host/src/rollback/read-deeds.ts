/**
 * What a run did that a rollback has to look at: every effect of it, and every run it handed to.
 */
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
import { readEvents } from "../projection/load-projection.ts";
import type { RunProjection } from "../projection/run-projection.ts";

interface Place {
  readonly run: string;
  readonly turn: number;
  readonly key: string;
}

/** An effect of a tool, and how it ended. */
export interface ToolDeed extends Place, Pick<ToolFacts, "compensation" | "irreversible"> {
  readonly kind: "tool";
  readonly tool: string;
  /** Of the claim by which it acted. */
  readonly sequence: number;
  readonly request: BlobRef;
  /** The action that it took back itself. */
  readonly takesBack?: ToolFacts["takesBack"];
  readonly end: DeedEnd;
  /** What was to take it back, and may have: nobody knows. */
  readonly tried?: TriedUndo;
}

/** A compensation of which nobody knows whether it acted. */
export interface TriedUndo extends Place {
  readonly tool: string;
  /** False where a person may still say what became of it. */
  readonly isAbandoned: boolean;
}

/** A run that was handed to. */
export interface HandoffDeed extends Place {
  readonly kind: "handoff";
  readonly child: string;
  /** False while nobody has said what came of it: it may still begin. */
  readonly isEnded: boolean;
}

export type Deed = ToolDeed | HandoffDeed;

/** `open` where nobody knows yet; `abandoned` where a person said that nobody will. */
export type DeedEnd =
  | {
      readonly kind: "done";
      readonly at: string;
      readonly result: BlobRef | undefined;
      /** The files that it changed, where it did. */
      readonly artifacts?: ArtifactChanges;
      /** It failed, after it had changed files. */
      readonly hasFailed?: true;
      /** A person said so: nothing beside the result is known of it. */
      readonly isSaid?: true;
    }
  | { readonly kind: "nothing" | "open" | "abandoned" };

/** The deeds of a run in the order of its log. What only reads is none. */
export async function readDeeds({ log }: Pick<Stores, "log">, run: string): Promise<Deed[]> {
  return collectDeeds(run, readEvents(log, run, 1));
}

export type ReadDeeds = (run: string) => Promise<readonly Deed[]>;

/** Reads the log of each run once, for what is to be found out in one go. */
export function createReadDeeds(stores: Pick<Stores, "log">): ReadDeeds {
  const known = new Map<string, Promise<readonly Deed[]>>();
  return (run) => {
    const deeds = known.get(run) ?? readDeeds(stores, run);
    known.set(run, deeds);
    return deeds;
  };
}

/**
 * Those of one turn of a run that has stopped, by the events that its receipt names and by what
 * people said after the end: however long the run is, that is read and no more. None where the turn
 * has no receipt.
 */
export async function readDeedsOfTurn(
  { log, receipts }: Pick<Stores, "log" | "receipts">,
  { run, turns }: Pick<RunProjection, "run" | "turns">,
  turn: number,
): Promise<Deed[]> {
  const own = await readTurnRange(receipts, run, turn);
  const last = turn === turns ? own : await readTurnRange(receipts, run, turns);
  if (own === undefined || last === undefined) return [];
  return collectDeeds(
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

async function collectDeeds(run: string, events: AsyncIterable<LoopEvent>): Promise<Deed[]> {
  const deeds = new Map<string, Deed>();
  for await (const event of events) {
    const claimed = event.type === "action.claimed" ? toDeed(run, event) : undefined;
    if (claimed !== undefined) {
      // A claim in the place of another stands where the act does.
      deeds.delete(claimed.key);
      deeds.set(claimed.key, claimed);
    }
    const ended = readEnd(event);
    const deed = ended === undefined ? undefined : deeds.get(ended.key);
    if (ended === undefined || deed === undefined) continue;
    deeds.set(
      deed.key,
      deed.kind === "tool" ? { ...deed, end: ended.end } : { ...deed, isEnded: true },
    );
  }
  return withoutTaken(run, [...deeds.values()]);
}

/**
 * What a group has taken back itself is undone, and taking it back is nothing to undo. What it
 * tried to take back, with an end that nobody knows, may be undone: it keeps what was tried.
 */
function withoutTaken(run: string, deeds: readonly Deed[]): Deed[] {
  const taken = new Set<string>();
  const tried = new Map<string, TriedUndo>();
  for (const deed of deeds) {
    if (deed.kind !== "tool" || deed.takesBack?.run !== run) continue;
    if (deed.end.kind === "done") taken.add(deed.key).add(deed.takesBack.key);
    const unknown = toTried(deed);
    if (unknown === undefined) continue;
    tried.set(deed.takesBack.key, unknown);
    // It is told with what it was to take back. One that is open still waits for somebody's word.
    if (unknown.isAbandoned) taken.add(deed.key);
  }
  const nothing = { end: { kind: "nothing" } } as const;
  return deeds.map((deed) => {
    if (deed.kind !== "tool") return deed;
    if (taken.has(deed.key)) return { ...deed, ...nothing };
    const unknown = tried.get(deed.key);
    return unknown === undefined ? deed : { ...deed, tried: unknown };
  });
}

/** A compensation that may have acted, as those that it leaves behind name it. */
export function toTried({ run, turn, key, tool, end }: ToolDeed): TriedUndo | undefined {
  return end.kind === "open" || end.kind === "abandoned"
    ? { run, turn, key, tool, isAbandoned: end.kind === "abandoned" }
    : undefined;
}

function toDeed(
  run: string,
  { turn, sequence, content }: EventOf<"action.claimed">,
): Deed | undefined {
  const place = { run, turn: turn ?? 0, key: content.key };
  if (content.action === "handoff")
    return { ...place, kind: "handoff", child: content.child, isEnded: false };
  if (content.action !== "tool" || content.effect === "read") return undefined;
  const { tool, request, compensation, irreversible, takesBack } = content;
  return {
    ...place,
    ...{ kind: "tool", tool, sequence, request, end: { kind: "open" } },
    ...(compensation === undefined ? {} : { compensation }),
    ...(irreversible === undefined ? {} : { irreversible }),
    ...(takesBack === undefined ? {} : { takesBack }),
  };
}

function readEnd(event: LoopEvent): { readonly key: string; readonly end: DeedEnd } | undefined {
  switch (event.type) {
    case "action.settled": {
      const { key, status, result } = event.content;
      const artifacts = event.content.action === "tool" ? event.content.artifacts : undefined;
      // What failed and is settled did nothing: else nobody would know, and it would be open. But
      // files that it had changed by then are changed, and recorded.
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
): DeedEnd {
  if (resolution === "happened") return { kind: "done", at, result, isSaid: true };
  // What may be done again may have been done: where no claim follows, nobody will know.
  const isKnown = resolution === "never" || resolution === "orphaned";
  return { kind: isKnown ? "nothing" : "abandoned" };
}
