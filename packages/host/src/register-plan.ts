/**
 * The loop of a run that carries out a plan is made of the plan, which is the run's input: whoever
 * has the run has the loop, and what is carried out is what was approved.
 */
import type { Appender, Registration, Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import { compilePlan, isPlanLoop, type PlanDocument, parsePlan } from "@turnseal/protocol";
import { planStarter, rollbackRest } from "@turnseal/protocol/authoring";
import type { RunProjection } from "./projection/run-projection.ts";
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
  /** Of whoever holds the run. */
  readonly appender?: Pick<Appender, "flush">;
}

/** The same for a run, where it carries out a plan and its loop is not there yet. */
export async function registerPlanOf(
  { run, spec, input }: Pick<RunProjection, "run" | "spec" | "input">,
  { registry, stores, appender }: PlanPlace,
): Promise<void> {
  if (spec === null || input === null || !isPlanLoop(spec.loop)) return;
  if (registry.resolve(spec.loop, spec.version) !== undefined) return;
  // What was taken in just now is not stored before it is written.
  await appender?.flush();
  const parsed = parsePlan(await readContent(stores, run, input));
  // A run of another loop, or one whose content was erased, is blocked by what it lacks.
  if (parsed.kind === "parsed") registerPlan(registry, parsed.plan);
}
