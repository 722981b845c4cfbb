/**
 * Bounds of a term (spec/grant.md §4).
 *
 * 1. A bound that is absent bounds nothing; a list that is empty allows nothing.
 * 2. Under a bound, a request says what it concerns, and a narrower term has a bound of its own.
 * 3. Each kind has one way of being held: patterns by containment, lists by their items, numbers by
 *    size.
 */
import { isPlainObject } from "../canonical-json.ts";
import { isNamespaced } from "../namespaced.ts";
import { isCount, isListOf } from "../shape.ts";
import { isGrantName } from "../tool-reference.ts";
import { RESOURCE_FAMILIES } from "./authority-names.ts";
import { containsGlob, type Effort, isGlob, isPath, matchesGlob } from "./glob.ts";
import {
  containsDestination,
  containsRoot,
  isDestination,
  isReachable,
  isRoot,
} from "./place-patterns.ts";

export interface Bounds {
  /** Patterns of paths, such as `src/**`. */
  readonly paths?: readonly string[];
  /** Patterns of branches, in the same grammar. */
  readonly branches?: readonly string[];
  /** Absolute folders; each includes everything below. */
  readonly roots?: readonly string[];
  /** Hosts, such as `api.example.com:443` or `*.example.com`. */
  readonly destinations?: readonly string[];
  readonly environments?: readonly string[];
  readonly audiences?: readonly string[];
  /** The most of a number, by its name. */
  readonly limits?: Limits;
}

export type Limits = Readonly<Record<string, number>>;

/** The concerns of a request, each checked against the bound of its kind. */
export interface Concern {
  readonly path?: string;
  readonly branch?: string;
  readonly file?: string;
  readonly destination?: string;
  readonly environment?: string;
  readonly audience?: string;
  readonly amounts?: Limits;
}

/** Items of one list in a term, and limits of one term. */
export const TERM_LIST_MAX = 64;

/** Numbers that terms may limit; others have a namespace. */
export const LIMIT_NAMES = ["costUnits", "runtimeMs", "fanout", "depth"] as const;

interface BoundKind {
  readonly bound: Exclude<keyof Bounds, "limits">;
  readonly concern: Exclude<keyof Concern, "amounts">;
  readonly isItem: (value: unknown) => value is string;
  readonly isConcern: (value: unknown) => value is string;
  /** Whether an item allows what a request concerns. */
  readonly allows: (item: string, concern: string) => boolean;
  /** Whether an item allows all that another does. */
  readonly contains: (outer: string, inner: string, effort: Effort) => boolean;
}

const isSame = (outer: string, inner: string): boolean => outer === inner;
const globs = { isItem: isGlob, isConcern: isPath, allows: matchesGlob, contains: containsGlob };
const names = { isItem: isGrantName, isConcern: isGrantName, allows: isSame, contains: isSame };

/** The kinds of lists, each with its rule. */
export const BOUND_KINDS: readonly BoundKind[] = [
  { bound: "paths", concern: "path", ...globs },
  { bound: "branches", concern: "branch", ...globs },
  {
    bound: "roots",
    concern: "file",
    isItem: isRoot,
    isConcern: isRoot,
    allows: containsRoot,
    contains: containsRoot,
  },
  {
    bound: "destinations",
    concern: "destination",
    isItem: isDestination,
    isConcern: isReachable,
    allows: containsDestination,
    contains: containsDestination,
  },
  { bound: "environments", concern: "environment", ...names },
  { bound: "audiences", concern: "audience", ...names },
];

/** The lists that a known family has. Every family has limits; one of an operator's own has all. */
export const FAMILY_BOUNDS: Readonly<
  Record<(typeof RESOURCE_FAMILIES)[number], readonly BoundKind["bound"][]>
> = {
  github_repo: ["paths", "branches"],
  workspace: ["paths"],
  filesystem: ["roots"],
  network: ["destinations"],
  deployment: ["environments"],
  credential: ["audiences"],
  effect: [],
  artifact: ["paths"],
  harness: [],
  publication: ["destinations"],
};

/** True for limits, or for the numbers that are held against them. */
export function areLimits(value: unknown): value is Limits {
  if (!isPlainObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= TERM_LIST_MAX &&
    entries.every(
      ([name, amount]) =>
        ((LIMIT_NAMES as readonly string[]).includes(name) || isNamespaced(name)) &&
        isCount(amount),
    )
  );
}

/** The fault of a term's bounds in this family; undefined if there is none. */
export function findBoundsProblem(family: string, value: unknown): string | undefined {
  if (!isPlainObject(value)) return "`bounds` is an object";
  const known = RESOURCE_FAMILIES.find((name) => name === family);
  for (const [name, bound] of Object.entries(value)) {
    if (name === "limits") {
      if (!areLimits(bound)) return "`limits` holds whole numbers by known or namespaced name";
      continue;
    }
    const kind = BOUND_KINDS.find((other) => other.bound === name);
    if (kind === undefined) return `\`${name}\` is not a bound`;
    if (known !== undefined && !FAMILY_BOUNDS[known].includes(kind.bound))
      return `${known} has no \`${name}\``;
    if (!isListOf(kind.isItem, { most: TERM_LIST_MAX })(bound))
      return `\`${name}\` is a list of at most ${TERM_LIST_MAX} items of its form`;
  }
  return undefined;
}

/**
 * True when the bounds allow what a request concerns. If a concern is bounded, the request must
 * name it.
 */
export function allowsConcern(bounds: Bounds, concern: Concern): boolean {
  return (
    BOUND_KINDS.every(({ bound, concern: name, allows }) => {
      const [items, named] = [bounds[bound], concern[name]];
      return (
        items === undefined || (named !== undefined && items.some((item) => allows(item, named)))
      );
    }) && areLimitsNoLooser(concern.amounts, bounds.limits)
  );
}

/** True when `inner` bounds at least as tightly as `outer`. */
export function areBoundsWithin(inner: Bounds, outer: Bounds, effort: Effort): boolean {
  return (
    BOUND_KINDS.every(({ bound, contains }) => {
      const [narrow, wide] = [inner[bound], outer[bound]];
      if (wide === undefined) return true;
      const isHeld = (item: string) => wide.some((other) => contains(other, item, effort));
      return narrow?.every((item) => wide.includes(item) || isHeld(item)) ?? false;
    }) && areLimitsNoLooser(inner.limits, outer.limits)
  );
}

/** True if each limit has an amount that is no larger. An absent amount is larger. */
function areLimitsNoLooser(inner: Limits = {}, outer: Limits = {}): boolean {
  return Object.entries(outer).every(([name, limit]) => {
    const amount = Object.hasOwn(inner, name) ? inner[name] : undefined;
    return amount !== undefined && amount <= limit;
  });
}
