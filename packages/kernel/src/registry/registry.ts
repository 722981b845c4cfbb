/**
 * The registry: loops by id and version, each pinned to its digest.
 *
 * 1. The same id and version never changes its content. Registering equal content again is no
 *    change.
 * 2. A reference without a version means the highest release; a prerelease only where there is no
 *    release.
 * 3. The references of a root call are fixed when it starts. Later registrations do not change
 *    them.
 */
import {
  canonicalize,
  compareSemver,
  invariant,
  isMadeOfPlan,
  isPlanLoop,
  type LoopDef,
  type ParseMode,
  PLAN_TOOL,
  type Problem,
  parseSemver,
  type Refinements,
  type Semver,
} from "@turnseal/protocol";
import { groupRest, rollbackRest } from "@turnseal/protocol/authoring";
import { findBuiltInLoop } from "../definition/built-in-loops.ts";
import { type CheckedLoop, checkLoop } from "../definition/check-loop.ts";
import { checkReferences, type ReferenceProblem } from "./check-references.ts";
import { listPinned } from "./list-references.ts";

export type Registration =
  | {
      readonly kind: "registered";
      readonly loop: CheckedLoop;
      readonly warnings: readonly Problem[];
    }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

export interface RegisterOptions {
  readonly mode?: ParseMode;
  /** Further checks of its schemas. Earlier ones stay in force. */
  readonly refinements?: Refinements | undefined;
}

export interface Registry {
  /** Checks a document whole and adds it, or answers why not. */
  register(document: unknown, options?: RegisterOptions): Registration;
  /** The loop of that version; without a version, the highest release. */
  resolve(id: string, version?: string): CheckedLoop | undefined;
  /** Every loop and version, in order of registration. */
  list(): readonly CheckedLoop[];
  /** Finds problems between loops: unknown references, cycles, depth. */
  checkReferences(): readonly ReferenceProblem[];
  /** Everything that can be reached from a loop, resolved as of now. */
  pin(loop: CheckedLoop): PinnedLoops;
}

/** The loop of a step; undefined for one that is not registered. */
export type PinnedLoops = (id: string, version: string | undefined) => CheckedLoop | undefined;

interface Versions {
  readonly byVersion: Map<string, CheckedLoop>;
  highest: CheckedLoop;
}

/** An empty registry. */
export function createRegistry(): Registry {
  const loops = new Map<string, Versions>();
  const pins = new WeakMap<CheckedLoop, { readonly size: number; readonly pinned: PinnedLoops }>();
  const all: CheckedLoop[] = [];

  const resolve: Registry["resolve"] = (id, version) => {
    const versions = loops.get(id);
    const known = version === undefined ? versions?.highest : versions?.byVersion.get(version);
    return known ?? findBuiltInLoop(id, version);
  };

  return {
    resolve,
    list: () => [...all],
    checkReferences: () => checkReferences(all, resolve),
    register: (document, { mode = "strict", refinements } = {}) => {
      const checked = checkLoop(document, mode);
      if (checked.kind === "refused") return checked;
      const { id, version } = checked.loop.definition;
      if (isOfPlans(id) && !isTheirs(checked.loop.definition))
        return { kind: "refused", problems: [reserved(id)] };
      const present = resolve(id, version);
      if (present !== undefined && present.digest !== checked.loop.digest) {
        return { kind: "refused", problems: [conflict(id, version)] };
      }
      if (present === undefined) {
        addVersion(loops, checked.loop);
        all.push(checked.loop);
      }
      const loop = present ?? checked.loop;
      if (refinements !== undefined && !loop.refinedBy.includes(refinements))
        loop.refinedBy.push(refinements);
      return { kind: "registered", loop, warnings: checked.warnings };
    },
    pin: (loop) => {
      const known = pins.get(loop);
      // The registry only grows, so its size names its state.
      if (known?.size === all.length) return known.pinned;
      const pinned = pinReachable(loop, resolve);
      pins.set(loop, { size: all.length, pinned });
      return pinned;
    },
  };
}

function addVersion(loops: Map<string, Versions>, loop: CheckedLoop): void {
  const { id, version } = loop.definition;
  const versions = loops.get(id);
  if (versions === undefined) {
    loops.set(id, { byVersion: new Map([[version, loop]]), highest: loop });
    return;
  }
  versions.byVersion.set(version, loop);
  if (isHigher(loop, versions.highest)) versions.highest = loop;
}

function isHigher(loop: CheckedLoop, than: CheckedLoop): boolean {
  const version = readVersion(loop);
  const other = readVersion(than);
  const isRelease = version.prerelease.length === 0;
  if (isRelease !== (other.prerelease.length === 0)) return isRelease;
  return compareSemver(version, other) > 0;
}

function readVersion(loop: CheckedLoop): Semver {
  const version = parseSemver(loop.definition.version);
  invariant(version !== undefined, "a registered loop has a semantic version");
  return version;
}

function pinReachable(root: CheckedLoop, resolve: Registry["resolve"]): PinnedLoops {
  const pinned = new Map<string, CheckedLoop | undefined>();
  const queue = [root];
  for (const loop of queue) {
    for (const { loopId, loopVersion } of listPinned(loop)) {
      const reference = referenceKey(loopId, loopVersion);
      if (pinned.has(reference)) continue;
      const target = resolve(loopId, loopVersion);
      pinned.set(reference, target);
      if (target !== undefined) queue.push(target);
    }
  }
  return (id, version) => pinned.get(referenceKey(id, version));
}

function referenceKey(id: string, version: string | undefined): string {
  return `${version ?? ""}@${id}`;
}

/** True for ids that are reserved for plans and the questions after them. */
function isOfPlans(id: string): boolean {
  return isPlanLoop(id) || id === PLAN_TOOL || rests.some((rest) => rest.id === id);
}

/** The questions to people about effects that were left. */
const rests: readonly LoopDef[] = [rollbackRest.definition, groupRest.definition];

function isTheirs(loop: LoopDef): boolean {
  const rest = rests.find(({ id }) => id === loop.id);
  if (rest !== undefined) return canonicalize({ ...loop }) === canonicalize({ ...rest });
  return loop.id === PLAN_TOOL ? loop.tool?.implementation === PLAN_TOOL : isMadeOfPlan(loop);
}

function reserved(id: string): Problem {
  return {
    rule: "name-reserved",
    path: "/id",
    message: `${id} is an id that only plans have`,
    mend: "give the loop another id",
  };
}

function conflict(id: string, version: string): Problem {
  return {
    rule: "registry-conflict",
    path: "/version",
    message: `${id} ${version} is registered with other content`,
    mend: "raise the version",
  };
}
