/**
 * Things that stand beside each other and know nothing of each other: the items of a fan-out.
 *
 * 1. At most so many act at once. A part that waits for a person or a time leaves its place to the
 *    next, so that all requests are made.
 * 2. A resume begins every recorded part again, one after the other and without the limit. Each
 *    goes as far as its record does, and is held there. When nothing else can move, they are
 *    released up to the limit.
 * 3. A stopped part records nothing new: it ends where it would.
 */
import type { Outcome, Paused } from "../outcome.ts";
import type { Branch, Fork } from "./branch.ts";
import { StoppedError } from "./stopped-error.ts";

/** How one ended. A stopped one may not have begun. */
export type BesideOutcome<Value> = Outcome<Value> | { readonly kind: "stopped" };

export interface BesideOptions {
  readonly fork: Fork;
  /** How many act at once. */
  readonly limit: number;
  /** True where a waiting part holds its place, and does not leave it to the next. */
  readonly holdsPlace?: (paused: Paused) => boolean;
  /** True where each begins only when those before it have ended. */
  readonly isInOrder?: boolean;
  /** True when something is recorded of it. */
  readonly hasBegun: (index: number) => boolean;
  /** Aborted when it is to stop, one for each. */
  readonly stops: readonly AbortSignal[];
}

type Run<Value> = (index: number, branch: Branch) => Promise<Outcome<Value>>;

/** Runs all of them, as far as each can go now, and answers with how they ended. */
export async function runBeside<Value>(
  run: Run<Value>,
  options: BesideOptions,
): Promise<BesideOutcome<Value>[]> {
  const { fork, stops } = options;
  const crew: Crew<Value> = {
    ...{ run, options, members: new Map(), changed: Promise.withResolvers() },
    ...{ isGathering: false, isLetGo: false, breaks: [] },
    ...{ counts: { acting: 0, held: 0, ended: 0, waiting: 0 }, nextIndex: 0 },
  };
  try {
    await gather(crew);
    if (crew.counts.held > 0) await letGo(crew);
    while (fill(crew)) {
      if (crew.counts.acting > 0) await crew.changed.promise;
      else await letGo(crew);
    }
  } catch (error) {
    breakOff(crew, error);
  }
  // If one breaks, the others are not left to act on their own.
  await Promise.all([...crew.members.values()].map(({ result }) => result));
  const [broken] = crew.breaks;
  if (broken !== undefined) throw broken.error;
  return [...stops.keys()].map((index) => crew.members.get(index)?.outcome ?? { kind: "stopped" });

  async function letGo(held: Crew<Value>): Promise<void> {
    await fork.branch.hold();
    held.isLetGo = true;
  }
}

type State = "acting" | "held" | "ended";

interface Member<Value> {
  state: State;
  outcome: BesideOutcome<Value>;
  readonly released: PromiseWithResolvers<void>;
  /** Kept when it has ended, however it did. */
  result: Promise<void>;
}

interface Crew<Value> {
  readonly run: Run<Value>;
  readonly options: BesideOptions;
  readonly members: Map<number, Member<Value>>;
  /** Kept when one of them ends or is held. */
  changed: PromiseWithResolvers<void>;
  /** True while the record is repeated: no part does anything new. */
  isGathering: boolean;
  /** True when nothing recorded is left. */
  isLetGo: boolean;
  /** Errors that are not outcomes. */
  readonly breaks: { readonly error: unknown }[];
  /** How many parts are in each state, and how many ended ones hold their place. */
  readonly counts: Record<State | "waiting", number>;
  /** All before it have begun, or were stopped. */
  nextIndex: number;
}

/** Begins again what is recorded as begun. */
async function gather<Value>(crew: Crew<Value>): Promise<void> {
  const { fork, stops, hasBegun } = crew.options;
  if (!fork.hasBegun()) return;
  crew.isGathering = true;
  for (const index of [...stops.keys()].filter(hasBegun)) {
    const member = begin(crew, index);
    while (member.state === "acting") await crew.changed.promise;
  }
  crew.isGathering = false;
}

/** Lets as many act as may; false when there is nothing left to be done. */
function fill<Value>(crew: Crew<Value>): boolean {
  const { counts } = crew;
  while (counts.acting + counts.waiting < crew.options.limit) {
    const held = counts.held === 0 ? undefined : findHeld(crew);
    const next = findNext(crew);
    if (held !== undefined && crew.isLetGo) release(crew, held);
    else if (next !== undefined) begin(crew, next);
    else break;
  }
  return counts.acting + counts.held > 0;
}

function findHeld<Value>({ members }: Crew<Value>): Member<Value> | undefined {
  for (const member of members.values()) if (member.state === "held") return member;
  return undefined;
}

function findNext<Value>(crew: Crew<Value>): number | undefined {
  const { options, members, breaks } = crew;
  const { stops, isInOrder = false } = options;
  if (breaks.length > 0) return undefined;
  const isOver = ({ state, outcome }: Member<Value>): boolean =>
    state === "ended" && outcome.kind !== "paused";
  if (isInOrder && ![...members.values()].every(isOver)) return undefined;
  const isPast = (index: number): boolean => members.has(index) || stops[index]?.aborted === true;
  // A part that has begun or was stopped stays so.
  while (crew.nextIndex < stops.length && isPast(crew.nextIndex)) crew.nextIndex += 1;
  return crew.nextIndex < stops.length ? crew.nextIndex : undefined;
}

function begin<Value>(crew: Crew<Value>, index: number): Member<Value> {
  const member: Member<Value> = {
    ...{ state: "acting", outcome: { kind: "stopped" } },
    ...{ released: Promise.withResolvers(), result: Promise.resolve() },
  };
  crew.members.set(index, member);
  crew.counts.acting += 1;
  member.result = follow(crew, member, () => crew.run(index, openBranch(crew, member, index)));
  return member;
}

async function follow<Value>(
  crew: Crew<Value>,
  member: Member<Value>,
  run: () => Promise<Outcome<Value>>,
): Promise<void> {
  try {
    member.outcome = await run();
  } catch (error) {
    if (!(error instanceof StoppedError)) breakOff(crew, error);
  }
  enter(crew, member, "ended");
}

function openBranch<Value>(crew: Crew<Value>, member: Member<Value>, index: number): Branch {
  const { branch: parent } = crew.options.fork;
  const stop = joinSignals(parent.stop, crew.options.stops[index]);
  const isStopped = (): boolean => stop?.aborted ?? false;
  const isOff = (): boolean => isStopped() || crew.breaks.length > 0;
  const onStop = (): void => release(crew, member);
  return {
    stop,
    isStopped,
    isBehind: () => crew.isGathering || parent.isBehind(),
    isOver: () => isStopped() || parent.isOver(),
    hold: async () => {
      if (!crew.isLetGo && !isOff()) {
        stop?.addEventListener("abort", onStop, { once: true });
        enter(crew, member, "held");
        await member.released.promise;
        stop?.removeEventListener("abort", onStop);
      }
      if (isOff()) throw new StoppedError();
    },
  };
}

function release<Value>(crew: Crew<Value>, member: Member<Value>): void {
  move(crew, member, "acting");
  member.released.resolve();
}

function move<Value>({ counts }: Crew<Value>, member: Member<Value>, state: State): void {
  counts[member.state] -= 1;
  counts[state] += 1;
  member.state = state;
}

/** No further part begins, and the held ones end. */
function breakOff<Value>(crew: Crew<Value>, error: unknown): void {
  crew.breaks.push({ error });
  for (const member of crew.members.values()) if (member.state === "held") release(crew, member);
}

function enter<Value>(crew: Crew<Value>, member: Member<Value>, state: State): void {
  move(crew, member, state);
  const { outcome } = member;
  const isWaiting = state === "ended" && outcome.kind === "paused";
  if (isWaiting && crew.options.holdsPlace?.(outcome) === true) crew.counts.waiting += 1;
  crew.changed.resolve();
  crew.changed = Promise.withResolvers();
}

function joinSignals(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return AbortSignal.any([one, other]);
}
