/** A plan from a file, with the loops that its steps are bound to and at most what it takes. */

import { type Finding, readTables, type Source } from "@turnseal/documents";
import { registerPlan } from "@turnseal/host";
import { listIrreversible } from "@turnseal/kernel";
import {
  type JsonObject,
  type PlanDocument,
  type PriceTable,
  type Problem,
  parsePlan,
} from "@turnseal/protocol";
import { planStarter } from "@turnseal/protocol/authoring";
import { computeBounds } from "../bounds/compute-bounds.ts";
import { createPricing } from "../bounds/create-pricing.ts";
import { findLoopsFolder } from "../loops/find-loops-folder.ts";
import type { Target } from "../loops/find-target.ts";
import { type LoadedLoop, loadLoops } from "../loops/load-loops.ts";

export type PlanSearch =
  | { readonly kind: "found"; readonly target: Target; readonly document: PlanDocument }
  | { readonly kind: "refused"; readonly problems: readonly Finding[] }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

interface PlanRequest {
  readonly file: string;
  readonly from: readonly string[] | undefined;
  readonly prices: PriceTable;
}

/** Reads a plan and binds it. */
export async function findPlanTarget({ file, from, prices }: PlanRequest): Promise<PlanSearch> {
  const next = "turnseal plan propose <file> --from <files or folders>";
  const read = await readTables(file);
  if (read.kind === "unusable") return { ...read, next };
  if (read.kind === "refused") return { kind: "refused", problems: read.findings };
  const { value, locate } = read;
  const refuse = (problems: readonly Problem[]): PlanSearch => ({
    kind: "refused",
    problems: problems.map((problem) => ({ ...problem, file, position: locate(problem.path) })),
  });
  const parsed = parsePlan(value);
  if (parsed.kind === "refused") return refuse(parsed.problems);
  const paths = await findLoopsFolder(from);
  if (paths.length === 0)
    return { kind: "unusable", message: "there is no folder ./loops to bind the steps to", next };
  const loaded = await loadLoops(paths, "strict");
  if (loaded.kind === "unusable") return { ...loaded, next };
  if (loaded.problems.length > 0) return { kind: "refused", problems: loaded.problems };
  const { registry } = loaded;
  const { plan } = parsed;
  const unbound = plan.steps.flatMap(({ loop, version }, index): Problem[] => {
    if (registry.resolve(loop, version) !== undefined) return [];
    const name = version === undefined ? loop : `${loop} ${version}`;
    const path = `/steps/${index}/loop`;
    const mend = "name one that `turnseal loops` lists";
    return [{ rule: "reference-unknown", path, message: `there is no loop ${name}`, mend }];
  });
  if (unbound.length > 0) return refuse(unbound);
  const registered = registerPlan(registry, plan);
  if (registered.kind === "refused") return refuse(registered.problems);
  const { loop } = registered;
  if (plan.reversible === true) {
    const final = listIrreversible(loop, registry.resolve, loaded.tools.find);
    if (final.length > 0) return refuse(final);
  }
  const { id, version } = loop.definition;
  const pricing = await createPricing(loaded, prices);
  const worst = describeWorst(computeBounds(loop, registry, pricing));
  const entries = [...loaded.entries, ...listEntries([planStarter.definition.id, id])];
  return {
    kind: "found",
    target: { kind: "found", id, version, loaded: { ...loaded, entries }, paths },
    document: { ...plan, worst },
  };

  function listEntries(ids: readonly string[]): LoadedLoop[] {
    return ids.flatMap((name) => {
      const entry = registry.resolve(name);
      const source: Source = { file, document: entry?.definition };
      return entry === undefined ? [] : [{ loop: entry, source }];
    });
  }
}

/** Values that only a budget bounds are left out. */
function describeWorst(bounds: ReturnType<typeof computeBounds>): JsonObject {
  const { activeMs, modelCalls, toolCalls, outputTokens, inputTokens, moneyMicros } = bounds;
  return {
    ...{ activeMs, modelCalls, toolCalls, outputTokens },
    ...(inputTokens === null ? {} : { inputTokens }),
    ...(moneyMicros === null ? {} : { moneyMicros }),
  };
}
