/**
 * Compares an execution with faults to one without. Both have the same result, except for parts
 * that the specification leaves to chance. Those follow from the order in which parallel items end
 * (spec/flow.md §5.12). Events before these parts are compared as well:
 *
 * 1. A turn that failed is not retried where a withdrawn item has left an effect open. Up to there,
 *    and with that turn, both are the same.
 * 2. The same goes for a node, and then for all that follows it, also in runs that it starts. The
 *    turns before are the same.
 * 3. A failure that ends the whole tree may come before others have won, or after: only where items
 *    were withdrawn, and a turn was denied in one of the two. The turns before are the same.
 * 4. A run may be there only once, or have come less far: only where items were withdrawn of the
 *    run that started it, or 1, 2 or 3 holds of that.
 * 5. Which failure is the first may be another, where it ends a fan-out and others are withdrawn,
 *    and with it the code that what follows sees. The turns before are the same.
 *
 * Executions are not compared where a budget ran out, times are short, or somebody cancelled.
 */
import { type Chance, compareEnds } from "./compare-ends.ts";
import { describeRun } from "./describe-run.ts";
import type { Place } from "./places.ts";
import type { FlowWorld } from "./world.ts";

/** A timeout in a flow that is not hasty is a matter of minutes, or longer than this. */
const COMPARED_MS_MAX = 80_000_000;

/** With budget and time to spare, the result of a flow is the same after any fault. */
export async function compareWorlds(
  calm: FlowWorld,
  rough: FlowWorld,
): Promise<string | undefined> {
  const { tally } = rough;
  const reason = findReasonNotTo(calm, rough);
  tally.count(reason === undefined ? "compared" : `not compared: ${reason}`);
  if (reason !== undefined) return undefined;
  const chances = new Map<string, Chance>();
  for (const { run, parent } of listBoth(calm, rough)) {
    const above = parent === undefined ? "none" : (chances.get(parent.run) ?? "none");
    const [one, other] = [calm, rough].map(({ places }) => findPlace(places.all(), run));
    const isFree = above === "follows" || [one, other].some(isWithdrawn);
    if (isFree || one === undefined || other === undefined) {
      if (above === "none" && !isFree)
        return `the run ${run} is there only ${one === undefined ? "with" : "without"} faults`;
      chances.set(run, "follows");
      continue;
    }
    const ends = [await describeRun(calm, one), await describeRun(rough, other)] as const;
    const { difference, chance } = compareEnds(ends, tally);
    chances.set(run, chance);
    if (difference !== undefined)
      return `the result differs from that without faults: ${difference}`;
  }
  return undefined;
}

function findReasonNotTo(calm: FlowWorld, rough: FlowWorld): string | undefined {
  if (rough.scenario.isHasty) return "hasty";
  if (rough.isCancelled) return "cancelled";
  if ([calm, rough].some(isLate)) return "late";
  return [calm, rough].some(hasSpentAll) ? "tight" : undefined;
}

function isLate({ clock, startsMs }: FlowWorld): boolean {
  return clock.now() - startsMs > COMPARED_MS_MAX;
}

/** True where something was refused since a budget has no room for it. */
function hasSpentAll({ places }: FlowWorld): boolean {
  const events = places.all().flatMap(({ watch }) => watch.events());
  return events.some(({ content }) => {
    const { code, reason } = content as { code?: unknown; reason?: unknown };
    return code === "BUDGET_EXCEEDED" || reason === "budget-exhausted";
  });
}

/** The runs of both, each once, and each after its parent. */
function listBoth(calm: FlowWorld, rough: FlowWorld): readonly Place[] {
  const all = [...calm.places.all(), ...rough.places.all()];
  return all.filter((place, index) => findPlace(all, place.run) === all[index]);
}

function findPlace(places: readonly Place[], wanted: string): Place | undefined {
  return places.find(({ run }) => run === wanted);
}

/** True for a run that is cancelled, since the item is withdrawn that it was started for. */
function isWithdrawn(place: Place | undefined): boolean {
  if (place?.parent === undefined) return false;
  const { run, parent } = place;
  return parent.watch
    .events()
    .some((event) => event.type === "item.closed" && event.content.runs?.includes(run) === true);
}
