import {
  listUnknown,
  type OpenRequest,
  type RunProjection,
  type UnknownClaim,
} from "@turnseal/folds";
import { dues, type KnownRun, listAnswered, listAwaited } from "@turnseal/host";
import type { InboxRow, LeaseHolder } from "@turnseal/ports";
import type { StopReason } from "@turnseal/protocol";
import { type AwaitedProvider, findAwaitedProvider } from "@turnseal/views";
import type { StoreFolder } from "./store-folder.ts";

/** Where a run stands, as a person asks for it. */
export type RunStanding =
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | { readonly kind: "running"; readonly holder: LeaseHolder }
  /** Only a person's answer moves it, or a signal. */
  | {
      readonly kind: "waiting";
      readonly asked: readonly OpenRequest[];
      readonly unknown: readonly UnknownClaim[];
      readonly signals: readonly string[];
      /** The provider that gave no answer, where it is waited for. */
      readonly provider?: AwaitedProvider;
      /** Of what it has asked, the hashes of what is answered and not read into its log yet. */
      readonly answered: ReadonlySet<string>;
    }
  /** An engine drives it. */
  | { readonly kind: "moving" }
  /** No process drives it, and it can go on. */
  | { readonly kind: "interrupted" };

/** Where a run of this folder stands, or of this engine. */
export async function readRunStanding(
  { engine, stores }: StoreFolder,
  { run, projection }: Pick<KnownRun, "run" | "projection">,
): Promise<RunStanding> {
  const holder = engine === undefined ? await stores.leases.read(run) : undefined;
  const state = describeStanding(projection, holder);
  const isEngine = engine !== undefined;
  if (projection === undefined || (state.kind !== "waiting" && state.kind !== "interrupted"))
    return isEngine && state.kind === "interrupted" ? { kind: "moving" } : state;
  const signals = listAwaited(projection);
  const rows = await stores.inbox.peek(run);
  // The message is on its way; in a folder it is read when the run is resumed.
  if (isTold(signals, rows)) return { kind: isEngine ? "moving" : "interrupted" };
  if (state.kind === "waiting") {
    const answered = listAnswered(projection, rows);
    const isAnswered = answered.size > 0 && listUnanswered({ ...state, answered }).length === 0;
    return isEngine && isAnswered ? { kind: "moving" } : { ...state, answered };
  }
  if (!isEngine) return state;
  // The engine keeps the time of a schedule; a folder does not.
  return signals.length === 0
    ? { kind: "moving" }
    : { kind: "waiting", asked: [], unknown: [], signals, answered: new Set() };
}

/** True if the inbox has one of the signals, or a retry, that is not taken in yet. */
function isTold(signals: readonly string[], rows: readonly InboxRow[]): boolean {
  const isSent = (name: unknown): boolean => typeof name === "string" && signals.includes(name);
  return rows.some(
    ({ kind, body }) => kind === "retry" || (kind === "signal" && isSent(body["name"])),
  );
}

/** Reads where it stands from the run's log and its lease. */
export function describeStanding(
  projection: RunProjection | undefined,
  holder: LeaseHolder | undefined,
): RunStanding {
  const stopped = projection?.stopped ?? null;
  if (stopped !== null) return { kind: "stopped", reason: stopped };
  if (holder !== undefined) return { kind: "running", holder };
  if (projection === undefined || !waitsForPerson(projection)) return { kind: "interrupted" };
  const asked = projection.openTurn?.asked ?? [];
  const signals = listAwaited(projection);
  const unknown = listUnknown(projection);
  const found = findAwaitedProvider(projection);
  const provider = found === undefined ? {} : { provider: found };
  return { kind: "waiting", asked, unknown, signals, answered: new Set(), ...provider };
}

type WaitingStanding = Extract<RunStanding, { kind: "waiting" }>;

/** Requests and unknown actions that still lack a person's answer. */
export function listUnanswered({
  asked,
  unknown,
  answered,
}: Pick<WaitingStanding, "asked" | "unknown" | "answered">): (OpenRequest | UnknownClaim)[] {
  return [...asked, ...unknown].filter(({ hash }) => !answered.has(hash));
}

/** True while only a person's answer moves a run: its requests have not expired yet. */
export function waitsForPerson(projection: RunProjection): boolean {
  const due = dues(projection);
  return due.kind === "wait" && (due.atMs === undefined || Date.now() < due.atMs);
}
