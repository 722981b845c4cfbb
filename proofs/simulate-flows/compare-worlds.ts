/**
 * Holds an execution with faults against one without. Both come to the same, with three exceptions
 * that the specification makes, since how far others had come is chance (spec/flow.md §5.12):
 *
 * 1. A turn that failed is not retried where a withdrawn item has left an effect open. Up to there
 *    both are the same.
 * 2. The same goes for a node, and then for all that follows it.
 * 3. What ends the whole tree may do so before others have won, or after. Where nothing was
 *    withdrawn both are the same.
 */
import { describeRun, type RunEnd } from "./describe-run.ts";
import type { Place } from "./places.ts";
import type { FlowWorld } from "./world.ts";

/** What times out in a flow that is not hasty does so within minutes, or not before this. */
const COMPARED_MS_MAX = 80_000_000;

/** With budget to spare, and time, what a flow comes to is the same whatever went wrong. */
export async function compareWorlds(
  calm: FlowWorld,
  rough: FlowWorld,
): Promise<string | undefined> {
  const { scenario, tally, isCancelled } = rough;
  const reason = scenario.isTight
    ? "tight"
    : scenario.isHasty
      ? "hasty"
      : isCancelled
        ? "cancelled"
        : [calm, rough].some(isLate)
          ? "late"
          : undefined;
  tally.count(reason === undefined ? "compared" : `not compared: ${reason}`);
  if (reason !== undefined) return undefined;
  for (const place of calm.places.all()) {
    const other = rough.places.all().find(({ run }) => run === place.run);
    // What a withdrawn item had handed on by then is chance, and how far that came.
    if (other === undefined || [place, other].some(isWithdrawn)) continue;
    const ends = [await describeRun(calm, place), await describeRun(rough, other)] as const;
    if (scenario.isDenying && ends.some(({ nodes }) => nodes === undefined)) {
      tally.count("not compared: denied beside others");
      continue;
    }
    if (isUntried(...ends)) {
      tally.count("not compared: not tried again");
      return undefined;
    }
    if (ends.some(({ isLeft }) => isLeft)) tally.count("compared up to a turn that is not retried");
    const [expected, actual] = cutWhereLeft(...ends);
    if (expected.nodes !== undefined && actual.nodes !== undefined)
      tally.count("compared node by node");
    const difference = findDifference(expected, actual);
    if (difference !== undefined)
      return `the result differs from that without faults: ${difference}`;
  }
  return undefined;
}

/** True for a run that is cancelled, since the item is withdrawn that it was started for. */
function isWithdrawn({ run, parent }: Place): boolean {
  return (parent?.watch.events() ?? []).some(
    (event) => event.type === "item.closed" && event.content.runs?.includes(run) === true,
  );
}

/** True where one has tried a node again in which the other has left an effect open. */
function isUntried(one: RunEnd, other: RunEnd): boolean {
  const hasTried = ({ tried }: RunEnd, [path, attempt]: RunEnd["tried"][number]): boolean =>
    tried.some(([also, number]) => also === path && number === attempt);
  const isLacking = (here: RunEnd, there: RunEnd): boolean =>
    here.tried.some(
      (each) =>
        !hasTried(there, each) &&
        there.withdrawn.some((way) => `${way}/`.startsWith(`${each[0]}/`)),
    );
  return isLacking(one, other) || isLacking(other, one);
}

/** Where one of them begins no other turn, both are compared up to there. */
function cutWhereLeft(one: RunEnd, other: RunEnd): readonly [RunEnd, RunEnd] {
  const turns = Math.min(...[one, other].flatMap((end) => (end.isLeft ? [end.turns.length] : [])));
  if (turns === Number.POSITIVE_INFINITY) return [one, other];
  const cut = (end: RunEnd): RunEnd => ({
    ...end,
    ...{ stopped: "left", nodes: undefined, isLeft: true },
    turns: end.turns.slice(0, turns),
  });
  return [cut(one), cut(other)];
}

function isLate({ clock, startsMs }: FlowWorld): boolean {
  return clock.now() - startsMs > COMPARED_MS_MAX;
}

function findDifference(expected: RunEnd, actual: RunEnd): string | undefined {
  const lists = [
    [[expected.stopped], [actual.stopped]],
    [expected.turns, actual.turns],
    expected.nodes === undefined || actual.nodes === undefined
      ? [[], []]
      : [expected.nodes, actual.nodes],
  ] as const;
  for (const [wanted, found] of lists) {
    const index = Array.from({ length: Math.max(wanted.length, found.length) }, (_, i) => i).find(
      (i) => wanted[i] !== found[i],
    );
    if (index !== undefined)
      return `${wanted[index] ?? "nothing"} became ${found[index] ?? "nothing"}`;
  }
  return undefined;
}
