/**
 * The loops of a turn, each with the digest and the function that its run was pinned to.
 *
 * A worker that lacks one cannot advance the run, but another worker may have it. So this is
 * checked before anything is recorded, and never ends the run.
 */
import {
  type Block,
  isReservedTool,
  type PinnedLoop,
  type PinnedReferences,
  referenceName,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listRefined } from "../registry/pin-references.ts";
import type { PinnedLoops, Registry } from "../registry/registry.ts";
import type { BoundTools } from "../world.ts";

/** Each is the one that was pinned. */
export interface FoundLoops {
  readonly root: CheckedLoop;
  readonly loops: PinnedLoops;
}

export type LoopSearch =
  | ({ readonly kind: "found" } & FoundLoops)
  | { readonly kind: "blocked"; readonly block: Block };

interface PinnedRun {
  readonly loop: string;
  readonly version: string;
  readonly pinned: PinnedReferences;
}

interface Bound {
  readonly registry: Registry;
  readonly tools: BoundTools;
}

/** Finds every pinned loop here, or names the first that is not. */
export function findLoops({ loop, version, pinned }: PinnedRun, bound: Bound): LoopSearch {
  const { registry } = bound;
  for (const pin of Object.values(pinned)) {
    const block = findPinLack(pin, bound) ?? findRootLack(pin, bound);
    if (block !== undefined) return { kind: "blocked", block };
  }
  const loops: PinnedLoops = (id, wanted) => {
    const name = referenceName(id, wanted);
    const pin = Object.hasOwn(pinned, name) ? pinned[name] : undefined;
    return pin === undefined ? undefined : registry.resolve(pin.id, pin.version);
  };
  const root = loops(loop, version);
  if (root !== undefined) return { kind: "found", root, loops };
  return { kind: "blocked", block: { cause: "loop-missing", what: `${loop} ${version}` } };
}

/** Why values cannot be judged here by the loop that was pinned, if they cannot. */
export function findLoopLack(
  { id, version, digest, refined = [] }: PinnedLoop,
  registry: Pick<Registry, "resolve">,
): Block | undefined {
  const what = `${id} ${version}`;
  const loop = registry.resolve(id, version);
  if (loop === undefined) return { cause: "loop-missing", what };
  // A loop that has lost the refinements of a schema would let more through than was promised.
  const here = listRefined(loop);
  const hasLost = refined.some((side) => !here.includes(side));
  return loop.digest !== digest || hasLost ? { cause: "loop-changed", what } : undefined;
}

/** Why a pinned loop cannot be executed here, if it cannot: it, or the function that it names. */
export function findPinLack(pin: PinnedLoop, { registry, tools }: Bound): Block | undefined {
  const lack = findLoopLack(pin, registry);
  if (lack !== undefined) return lack;
  const { id, version } = pin;
  const name = registry.resolve(id, version)?.definition.tool?.implementation;
  if (name === undefined || isReservedTool(name) || tools.find(name, version) !== undefined)
    return undefined;
  return { cause: "tool-missing", what: `${name} ${version}` };
}

/** A tool that declares files needs them to be here: that is of the worker, and of no release. */
function findRootLack({ id, version }: PinnedLoop, { registry, tools }: Bound): Block | undefined {
  const name = registry.resolve(id, version)?.definition.tool?.implementation;
  const root = name === undefined ? undefined : tools.find(name, version)?.artifacts?.root;
  if (root === undefined || tools.roots === undefined) return undefined;
  if (Object.hasOwn(tools.roots, root)) return undefined;
  return { cause: "root-missing", what: root };
}
