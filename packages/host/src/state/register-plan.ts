/**
 * The loop of a run that executes a plan is built from the plan, which is the run's input. So the
 * run is enough to have the loop, and the executed plan is the approved one.
 */

import type { RunProjection } from "@turnseal/folds";
import type { Appender, Registration, Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import { compilePlan, isPlanLoop, type PlanDocument, parsePlan } from "@turnseal/protocol";
import { planStarter, rollbackRest } from "@turnseal/protocol/authoring";
import { readContent } from "./read-content.ts";

/** Registers the loop of a plan, with what it begins with, and what a rollback ends with. */
export function registerPlan(registry: Registry, plan: PlanDocument): Registration {
  for (const { definition } of [
    planStarter,
    ...(plan.rollback === undefined ? [] : [rollbackRest]),
  ]) {
    const own = registry.register(definition);
    if (own.kind === "refused") return own;
  }
  return registry.register(compilePlan(plan));
}

interface PlanPlace {
  readonly registry: Registry;
  readonly stores: Pick<Stores, "blobs">;
  /** The appender of the run's holder. */
  readonly appender?: Pick<Appender, "flush">;
}

/** The same for a run of a plan whose loop is not there yet. */
export async function registerPlanOf(
  { run, spec, input }: Pick<RunProjection, "run" | "spec" | "input">,
  { registry, stores, appender }: PlanPlace,
): Promise<void> {
  if (spec === null || input === null || !isPlanLoop(spec.loop)) return;
  if (registry.resolve(spec.loop, spec.version) !== undefined) return;
  // Content that was taken in just now is stored only by this flush.
  await appender?.flush();
  const parsed = parsePlan(await readContent(stores, run, input));
  // A run of another loop, or one whose content was erased, is blocked by what it lacks.
  if (parsed.kind === "parsed") registerPlan(registry, parsed.plan);
}
