import { listHandoffs, type RunProjection } from "@turnseal/folds";
import { dues } from "./dues.ts";

/**
 * When to look at a run although all its messages may be lost; undefined for a run that only a
 * message moves, since its sender has the run looked at.
 */
export function lookAfterLoss(run: RunProjection, nowMs: number): number | undefined {
  const owed = dues(run);
  if (owed.kind === "done") return undefined;
  // Another run may wait for what it owes; and its obstacle may be gone by now.
  const isOwing = listHandoffs(run).length > 0 || run.blocked !== null;
  if (owed.kind === "continue" || isOwing) return nowMs;
  return owed.atMs === undefined ? undefined : Math.max(nowMs, owed.atMs);
}
