import {
  dues,
  type KnownRun,
  listAnswered,
  type OpenClaim,
  type OpenRequest,
  type RunProjection,
} from "@turnseal/host";
import type { InboxRow } from "@turnseal/ports";
import type { StopReason } from "@turnseal/protocol";
import { type LeaseHolder, readLease } from "./lease.ts";
import type { StoreFolder } from "./store-folder.ts";

/** Where a run stands, as a person asks for it. */
export type RunState =
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | { readonly kind: "running"; readonly holder: LeaseHolder }
  /** Only somebody's word moves it, or a signal. */
  | {
      readonly kind: "waiting";
      readonly asked: readonly OpenRequest[];
      readonly unknown: readonly OpenClaim[];
      readonly signals: readonly string[];
      /** Of what it has asked, the hashes of what is answered and not read into its log yet. */
      readonly answered: ReadonlySet<string>;
    }
  /** An engine carries it. */
  | { readonly kind: "moving" }
  /** Nobody carries it, and it can go on. */
  | { readonly kind: "interrupted" };

/** Where a run of this folder stands, or of this engine. */
export async function readState(
  { path, engine, stores }: StoreFolder,
  { run, projection }: Pick<KnownRun, "run" | "projection">,
): Promise<RunState> {
  const holder = engine === undefined ? await readLease(path, run) : undefined;
  const state = describeState(projection, holder);
  const isEngine = engine !== undefined;
  if (projection === undefined || (state.kind !== "waiting" && state.kind !== "interrupted"))
    return isEngine && state.kind === "interrupted" ? { kind: "moving" } : state;
  const signals = listAwaited(projection);
  const rows = await stores.inbox.peek(run);
  // What was said is on its way; in a folder it is read when somebody resumes the run.
  if (isTold(signals, rows)) return { kind: isEngine ? "moving" : "interrupted" };
  if (state.kind === "waiting") {
    const answered = listAnswered(projection, rows);
    const isAnswered = answered.size > 0 && listUnanswered({ ...state, answered }).length === 0;
    return isEngine && isAnswered ? { kind: "moving" } : { ...state, answered };
  }
  if (!isEngine) return state;
  // The engine keeps the time of a schedule; in a folder nobody does.
  return signals.length === 0
    ? { kind: "moving" }
    : { kind: "waiting", asked: [], unknown: [], signals, answered: new Set() };
}

/** True when somebody has sent one of the signals, and nobody has read it yet. */
function isTold(signals: readonly string[], rows: readonly InboxRow[]): boolean {
  return rows.some(({ kind, body }) => kind === "signal" && signals.includes(String(body["name"])));
}

/** Reads the state from the run's log and its lease. */
export function describeState(
  projection: RunProjection | undefined,
  holder: LeaseHolder | undefined,
): RunState {
  const stopped = projection?.stopped ?? null;
  if (stopped !== null) return { kind: "stopped", reason: stopped };
  if (holder !== undefined) return { kind: "running", holder };
  if (projection === undefined || !waitsForPerson(projection)) return { kind: "interrupted" };
  const asked = projection.openTurn?.asked ?? [];
  const signals = listAwaited(projection);
  const unknown = listUnknown(projection);
  return { kind: "waiting", asked, unknown, signals, answered: new Set() };
}

type WaitingState = Extract<RunState, { kind: "waiting" }>;

/** What somebody must still say a word on. */
export function listUnanswered({
  asked,
  unknown,
  answered,
}: Pick<WaitingState, "asked" | "unknown" | "answered">): (OpenRequest | OpenClaim)[] {
  return [...asked, ...unknown].filter(({ hash }) => !answered.has(hash));
}

/** True while only somebody's word moves a run: what was asked has not run out yet. */
export function waitsForPerson(projection: RunProjection): boolean {
  const due = dues(projection);
  return due.kind === "wait" && (due.atMs === undefined || Date.now() < due.atMs);
}

/** The signals that a run waits for between two turns. */
export function listAwaited({ spec, awaited, openTurn }: RunProjection): readonly string[] {
  const isWaiting = openTurn === null && awaited?.isWaiting === true && awaited.count === 0;
  return isWaiting ? (spec?.bounds.awaits ?? []) : [];
}

/** The actions that wait for a person's answer. */
export function listUnknown({ openTurn }: RunProjection): OpenClaim[] {
  return (openTurn?.open ?? []).filter(({ isUnknown }) => isUnknown);
}
