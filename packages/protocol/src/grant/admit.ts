/**
 * Decides whether a grant allows what a tool is about to do (spec/grant.md §5).
 *
 * Pure, and outside of the model: it gets what the tool declares for its arguments, and answers
 * from the grant alone. Anything the grant does not cover is denied.
 */
import { allowsConcern, BOUND_KINDS, type Concern } from "./bounds.ts";
import type { Grant } from "./grant.ts";
import { type Needs, readNeeds, type TermRequest } from "./needs.ts";
import { coversScope } from "./scope.ts";
import { coversName, type Term } from "./term.ts";

/** Why something is not allowed: a closed set. */
export const DENIAL_REASONS = [
  "grant-missing",
  "grant-expired",
  "tool-not-granted",
  "needs-unreadable",
  "scope-not-granted",
  "term-not-granted",
  "bounds-passed",
  "term-expired",
  "condition-failed",
  "handoff-not-granted",
  "depth-passed",
  "grant-widened",
] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

export type Admission =
  | {
      readonly kind: "admitted";
      /** Terms under which it is admitted, each once. */
      readonly terms: readonly string[];
      /** Roles whose approval these terms want, each once. */
      readonly approvals: readonly string[];
    }
  | {
      readonly kind: "denied";
      readonly reason: DenialReason;
      /** The place of the scope or of the request that is not covered. */
      readonly need?: number;
    };

export interface ToolRequest {
  readonly tool: string;
  readonly needs?: Needs | undefined;
}

/** Says whether a condition of a term holds. A condition that cannot be judged does not hold. */
export type JudgeCondition = (condition: string) => boolean;

/** Decides whether a tool may be executed at `nowMs`. */
export function admit(
  grant: Grant,
  { tool, needs = {} }: ToolRequest,
  nowMs: number,
  holds: JudgeCondition = () => false,
): Admission {
  if (isOver(grant.expiresAt, nowMs)) return { kind: "denied", reason: "grant-expired" };
  if (!grant.tools.includes(tool)) return { kind: "denied", reason: "tool-not-granted" };
  const read = readNeeds(needs);
  if (read === undefined) return { kind: "denied", reason: "needs-unreadable" };
  const { scopes = [], terms = [] } = read;
  const uncovered = scopes.findIndex((scope) => !coversScope(grant.scopes ?? [], scope));
  if (uncovered >= 0) return { kind: "denied", reason: "scope-not-granted", need: uncovered };
  const used: Term[] = [];
  for (const [need, request] of terms.entries()) {
    const found = findTerm(grant.terms ?? [], request, { nowMs, holds });
    if (typeof found === "string") return { kind: "denied", reason: found, need };
    used.push(found);
  }
  return {
    kind: "admitted",
    terms: [...new Set(used.map(({ id }) => id))],
    approvals: [...new Set(used.flatMap(({ approvals }) => approvals))],
  };
}

/** An expiry that cannot be read has passed. */
export function isOver(expiresAt: string | undefined, nowMs: number): boolean {
  return expiresAt !== undefined && !(nowMs < Date.parse(expiresAt));
}

interface TermFacts {
  readonly nowMs: number;
  readonly holds: JudgeCondition;
}

// The further a term came, the better its reason tells what is wrong.
const steps = [
  "term-not-granted",
  "bounds-passed",
  "term-expired",
  "condition-failed",
] as const satisfies readonly DenialReason[];
type TermDenial = (typeof steps)[number];

/** The term that covers a request, one without approvals first; or why there is none. */
function findTerm(
  terms: readonly Term[],
  request: TermRequest,
  facts: TermFacts,
): Term | TermDenial {
  let furthest = 0;
  const covering = terms.filter((term) => {
    const denial = judgeTerm(term, request, facts);
    if (denial !== undefined) furthest = Math.max(furthest, steps.indexOf(denial));
    return denial === undefined;
  });
  return (
    covering.find(({ approvals }) => approvals.length === 0) ??
    covering[0] ??
    steps[furthest] ??
    "term-not-granted"
  );
}

function judgeTerm(
  term: Term,
  request: TermRequest,
  { nowMs, holds }: TermFacts,
): TermDenial | undefined {
  if (!coversName(term, request)) return "term-not-granted";
  if (!allowsConcern(term.bounds, pickUsable(request))) return "bounds-passed";
  if (isOver(term.expiresAt, nowMs)) return "term-expired";
  return term.conditions.every(holds) ? undefined : "condition-failed";
}

/** A concern that is not in the form of its kind is left out. */
function pickUsable(request: TermRequest): Concern {
  const usable = BOUND_KINDS.flatMap(({ concern, isConcern }) => {
    const text = request[concern];
    return isConcern(text) ? [[concern, text] as const] : [];
  });
  const { amounts } = request;
  return { ...Object.fromEntries(usable), ...(amounts === undefined ? {} : { amounts }) };
}
