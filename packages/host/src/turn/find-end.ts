/** Why a first turn is sealed without an action: the run is over before it began. */
import type { RunProjection } from "@turnseal/folds";
import type { closeUnbegunTurn } from "@turnseal/kernel";
import { isPlanLoop } from "@turnseal/protocol";
import type { HeldRun } from "../state/held-run.ts";
import { isOverdrawn } from "../undo/check/is-overdrawn.ts";

export type UnbegunEnd = Parameters<typeof closeUnbegunTurn>[2];

export async function findEnd(
  run: RunProjection,
  { clock, appender, stores }: HeldRun,
): Promise<UnbegunEnd | undefined> {
  const { turns, openTurn, isCancelled, spec } = run;
  if (turns > 0 || openTurn !== null) return undefined;
  if (isCancelled) return "CANCELLED";
  const deadlineMs = Date.parse(spec?.bounds.deadlineAt ?? "");
  if (Math.max(clock.now(), appender.lastMs()) >= deadlineMs) return "TIMEOUT";
  if (!isPlanLoop(spec?.loop ?? "")) return undefined;
  // Others have to see that it was started before it looks at them.
  await appender.flush();
  return (await isOverdrawn(run, stores, clock.now())) ? "BUDGET_EXCEEDED" : undefined;
}
