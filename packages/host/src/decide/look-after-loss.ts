import { listHandoffs } from "../projection/list-handoffs.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { dues } from "./dues.ts";

/**
 * When a run is to be looked at whose messages may all be lost; undefined for one that nothing but
 * a word moves, and whoever says it has the run looked at.
 */
export function lookAfterLoss(run: RunProjection, nowMs: number): number | undefined {
  const owed = dues(run);
  if (owed.kind === "done") return undefined;
  // Another run may wait for what it owes; and what keeps it from going on may be mended by now.
  const isOwing = listHandoffs(run).length > 0 || run.blocked !== null;
  if (owed.kind === "continue" || isOwing) return nowMs;
  return owed.atMs === undefined ? undefined : Math.max(nowMs, owed.atMs);
}
