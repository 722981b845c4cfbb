/**
 * Whether a grant allows nothing that another does not, with the proof (spec/grant.md §6).
 *
 * 1. A bound that is absent is the loosest of all. A bound that cannot be compared counts as wider.
 * 2. A proof says which terms were compared. It is only ever believed by comparing again.
 */
import { type Amounts, listUnits } from "../budget/budget.ts";
import { PERIOD_KINDS, type PeriodKind } from "../budget/period.ts";
import { canonicalize } from "../canonical-json.ts";
import { type Digest, digestOf } from "../digest.ts";
import { areBoundsWithin } from "./bounds.ts";
import type { Effort } from "./glob.ts";
import { type Grant, HANDOFF_DEPTH_DEFAULT } from "./grant.ts";
import { coversScope } from "./scope.ts";
import { contentOf, fanoutOf, type Term } from "./term.ts";

/** In what respect a grant, or a request for one, is wider: a closed set. */
export const WIDENINGS = [
  "unreadable",
  "grantor",
  "tools",
  "scopes",
  "handoffs",
  "depth",
  "budget",
  "per-call",
  "per-period",
  "expiry",
  "family-mismatch",
  "resource-mismatch",
  "verbs",
  "capabilities",
  "condition-dropped",
  "approval-dropped",
  "bounds",
] as const;
export type Widening = (typeof WIDENINGS)[number];

/** Steps that all comparisons of patterns in two grants may take together. */
export const GRANT_STEPS_MAX = 500_000;

export const PROOF_ALGORITHM = "turnseal.subset.v1";

/** That one grant is within another. Computed here, and never taken from elsewhere. */
export interface Proof {
  readonly algorithm: typeof PROOF_ALGORITHM;
  readonly result: "subset";
  /** For each term of the narrower grant, the wider term that it fits in. */
  readonly compared: readonly ComparedTerm[];
  /** The digest of the wider grant. */
  readonly parentDigest: Digest;
}

export interface ComparedTerm {
  readonly child: string;
  readonly parent: string;
  readonly relation: "equal" | "subset";
}

export type Comparison =
  | { readonly kind: "within"; readonly proof: Proof }
  | { readonly kind: "wider"; readonly code: Widening };

/** Compares two grants that were read. */
export function compareGrants(inner: Grant, outer: Grant): Comparison {
  const code = findWidening(inner, outer);
  if (code !== undefined) return { kind: "wider", code };
  const compared: ComparedTerm[] = [];
  const effort = { steps: GRANT_STEPS_MAX };
  for (const term of inner.terms ?? []) {
    const match = matchTerm(term, outer.terms ?? [], effort);
    if (typeof match === "string") return { kind: "wider", code: match };
    compared.push(match);
  }
  const parentDigest = digestOf(outer);
  return {
    kind: "within",
    proof: { algorithm: PROOF_ALGORITHM, result: "subset", compared, parentDigest },
  };
}

function findWidening(inner: Grant, outer: Grant): Widening | undefined {
  if (inner.grantor !== outer.grantor) return "grantor";
  if (!isSubset(inner.tools, outer.tools)) return "tools";
  const { scopes = [] } = outer;
  if (!(inner.scopes ?? []).every((scope) => coversScope(scopes, scope))) return "scopes";
  if (!isSubset(inner.handoffs ?? [], outer.handoffs ?? [])) return "handoffs";
  if ((inner.depth ?? HANDOFF_DEPTH_DEFAULT) > (outer.depth ?? HANDOFF_DEPTH_DEFAULT))
    return "depth";
  if (!areCapsWithin(inner.budget, outer.budget)) return "budget";
  if (!areCapsWithin(inner.perCall, outer.perCall)) return "per-call";
  const isFreer = (kind: PeriodKind) =>
    !areCapsWithin(inner.perPeriod?.[kind], outer.perPeriod?.[kind]);
  if (PERIOD_KINDS.some(isFreer)) return "per-period";
  return isNoLooser(inner.expiresAt, outer.expiresAt) ? undefined : "expiry";
}

/** The first term that holds all that this one does; or what is wrong with the nearest. */
function matchTerm(term: Term, others: readonly Term[], effort: Effort): ComparedTerm | Widening {
  let nearest: Widening = "family-mismatch";
  for (const other of others) {
    const code = findTermWidening(term, other, effort);
    if (code === undefined) {
      const isEqual = canonicalize(contentOf(term)) === canonicalize(contentOf(other));
      return { child: term.id, parent: other.id, relation: isEqual ? "equal" : "subset" };
    }
    if (termOrder.indexOf(code) > termOrder.indexOf(nearest)) nearest = code;
  }
  return nearest;
}

/** The order in which terms are compared. */
const termOrder: readonly Widening[] = [
  "family-mismatch",
  "resource-mismatch",
  "verbs",
  "capabilities",
  "condition-dropped",
  "approval-dropped",
  "expiry",
  "bounds",
];

function findTermWidening(inner: Term, outer: Term, effort: Effort): Widening | undefined {
  if (inner.family !== outer.family) return "family-mismatch";
  if (inner.resource !== outer.resource) return "resource-mismatch";
  if (!isSubset(inner.verbs, outer.verbs)) return "verbs";
  if (!isSubset(inner.capabilities, outer.capabilities)) return "capabilities";
  if (!isSubset(outer.conditions, inner.conditions)) return "condition-dropped";
  if (!isSubset(outer.approvals, inner.approvals)) return "approval-dropped";
  if (!isNoLooser(inner.expiresAt, outer.expiresAt)) return "expiry";
  return areBoundsWithin(inner.bounds, outer.bounds, effort) ? undefined : "bounds";
}

function isSubset(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((item) => outer.includes(item));
}

function areCapsWithin(inner: Amounts = {}, outer: Amounts = {}): boolean {
  return listUnits(outer).every((unit) => isNoLooser(inner[unit], outer[unit]));
}

/** Instants compare as their texts do. */
function isNoLooser<Bound extends number | string>(
  inner: Bound | undefined,
  outer: Bound | undefined,
): boolean {
  if (outer === undefined) return true;
  return inner !== undefined && inner <= outer;
}

/**
 * How many actions of a narrower grant may act at the same time, by the id of the wider term. The
 * proof says which term is within which.
 */
export function countFanout(
  { terms = [] }: Grant,
  { compared }: Proof,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { child, parent } of compared) {
    const term = terms.find(({ id }) => id === child);
    if (term !== undefined) counts.set(parent, (counts.get(parent) ?? 0) + fanoutOf(term));
  }
  return counts;
}
