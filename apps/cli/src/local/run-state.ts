import { dues, type OpenClaim, type RunProjection } from "@turnseal/host";
import type { StopReason } from "@turnseal/protocol";
import type { LeaseHolder } from "./lease.ts";

/** Where a run stands, as a person asks for it. */
export type RunState =
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | { readonly kind: "running"; readonly holder: LeaseHolder }
  /** Only a person's word moves it. */
  | { readonly kind: "waiting"; readonly unknown: readonly OpenClaim[] }
  /** Nobody carries it, and it can go on. */
  | { readonly kind: "interrupted" };

/** Reads the state from the run's log and its lease. */
export function describeState(
  projection: RunProjection | undefined,
  holder: LeaseHolder | undefined,
): RunState {
  const stopped = projection?.stopped ?? null;
  if (stopped !== null) return { kind: "stopped", reason: stopped };
  if (holder !== undefined) return { kind: "running", holder };
  if (projection === undefined || dues(projection).kind !== "wait") return { kind: "interrupted" };
  return { kind: "waiting", unknown: listUnknown(projection) };
}

/** The actions that wait for a person's answer. */
export function listUnknown({ openTurn }: RunProjection): OpenClaim[] {
  return (openTurn?.open ?? []).filter(({ isUnknown }) => isUnknown);
}
