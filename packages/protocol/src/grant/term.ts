/** A term of a grant: authority over one resource (spec/grant.md §3). */
import { canonicalize, isPlainObject } from "../canonical-json.ts";
import { toInstant } from "../instant.ts";
import { CONDITION_LENGTH_MAX } from "../policy/policy.ts";
import { sha256Hex } from "../sha256.ts";
import { type Is, isListOf } from "../shape.ts";
import { isGrantName, isTextWithin } from "../tool-reference.ts";
import { CAPABILITIES, isOpenName, RESOURCE_FAMILIES, VERBS } from "./authority-names.ts";
import { type Bounds, findBoundsProblem, TERM_LIST_MAX } from "./bounds.ts";
import type { NamedNeed } from "./needs.ts";

export interface Term {
  /** Unique in its grant: claims name it. */
  readonly id: string;
  readonly family: string;
  /** The address of the resource, compared as it is written. */
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly capabilities: readonly string[];
  readonly bounds: Bounds;
  /** Conditions as text. The term covers a request only where all of them hold. */
  readonly conditions: readonly string[];
  /** Roles that have to approve what is done under the term. */
  readonly approvals: readonly string[];
  readonly expiresAt?: string;
}

export type TermContent = Omit<Term, "id">;

const listOf = (isItem: Is<string>) => isListOf(isItem, { most: TERM_LIST_MAX });
const areVerbs = listOf((item): item is string => isOpenName(item, VERBS));
const areCapabilities = listOf((item): item is string => isOpenName(item, CAPABILITIES));
const areConditions = listOf((item): item is string => isTextWithin(item, CONDITION_LENGTH_MAX));
const areRoles = listOf(isGrantName);

/** Reads what a term says, or answers what is wrong with it. */
export function parseTermContent(value: unknown): TermContent | { readonly problem: string } {
  if (!isPlainObject(value)) return { problem: "it is an object" };
  const { family, resource, verbs, capabilities, bounds, conditions, approvals, ...rest } = value;
  const { expiresAt, ...unknown } = rest;
  const [extra] = Object.keys(unknown);
  if (extra !== undefined) return { problem: `\`${extra}\` is not a field of a term` };
  if (!isOpenName(family, RESOURCE_FAMILIES))
    return { problem: "`family` is a known family or one with a namespace" };
  if (!isGrantName(resource)) return { problem: "`resource` is the address of a resource" };
  if (!areVerbs(verbs)) return listProblem("verbs", "verbs");
  if (!areCapabilities(capabilities)) return listProblem("capabilities", "capabilities");
  const problem = findBoundsProblem(family, bounds);
  if (problem !== undefined) return { problem };
  if (!areConditions(conditions)) return listProblem("conditions", "texts");
  if (conditions.some(namesGrant)) return { problem: "`conditions` do not look at the grant" };
  if (!areRoles(approvals)) return listProblem("approvals", "roles");
  const expiry = toInstant(expiresAt);
  if (expiresAt !== undefined && expiry === undefined)
    return { problem: "`expiresAt` is an ISO 8601 time in UTC" };
  return {
    family,
    resource,
    verbs,
    capabilities,
    bounds: bounds as Bounds,
    conditions,
    approvals,
    ...(expiry === undefined ? {} : { expiresAt: expiry }),
  };
}

const QUOTED = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/g;

/**
 * True for a condition that reads the grant: it could hold for a narrower grant and not for a wider
 * one, so that narrowing would widen. A field of that name follows a dot.
 */
function namesGrant(condition: string): boolean {
  return /(?<![\w.])grant(?!\w)/.test(condition.replaceAll(QUOTED, "''"));
}

function listProblem(field: string, what: string): { readonly problem: string } {
  return { problem: `\`${field}\` is a list of at most ${TERM_LIST_MAX} ${what}` };
}

/** The content of a term, without its name. */
export function contentOf({ id: _, ...content }: Term): TermContent {
  return content;
}

/** The name of a term that was narrowed: the same content has the same name. */
export function mintTerm(content: TermContent): Term {
  return { id: `mint-${sha256Hex(canonicalize(content))}`, ...content };
}

/** True when the term is over that resource, and names what is to be done with it. */
export function coversName(term: Term, { family, resource, verb, capability }: NamedNeed): boolean {
  return (
    term.family === family &&
    term.resource === resource &&
    term.verbs.includes(verb) &&
    (capability === undefined || term.capabilities.includes(capability))
  );
}

/** How many may act at the same time under a term: one at least, and any number without a limit. */
export function fanoutOf({ bounds: { limits = {} } }: Pick<Term, "bounds">): number {
  return Math.max(1, limits["fanout"] ?? Number.POSITIVE_INFINITY);
}
