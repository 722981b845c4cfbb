/** The needs that a tool declares for its arguments (spec/grant.md §5). */
import { type Amounts, areAmounts } from "../budget/budget.ts";
import { canonicalize, isPlainObject } from "../canonical-json.ts";
import { hasOnly, type Is, isListOf, isText } from "../shape.ts";
import { isGrantName } from "../tool-reference.ts";
import { CAPABILITIES, isOpenName, RESOURCE_FAMILIES, VERBS } from "./authority-names.ts";
import { areLimits, BOUND_KINDS, type Concern } from "./bounds.ts";
import { isScope } from "./scope.ts";

export interface Needs {
  readonly scopes?: readonly string[];
  readonly terms?: readonly TermRequest[];
  /** The amounts that the action spends beside the units of every tool. */
  readonly amounts?: Amounts;
}

/** One thing that a tool is about to do with a resource. */
export interface TermRequest extends Concern {
  readonly family: string;
  readonly resource: string;
  readonly verb: string;
  readonly capability?: string;
}

/** A request without what it is about: what a claim records, since a path or a host is content. */
export type NamedNeed = Pick<TermRequest, "family" | "resource" | "verb" | "capability">;

/** The requests of an action as its claim records them, each once. */
export function nameNeeds({ terms = [] }: Needs): NamedNeed[] {
  const named = terms.map(({ family, resource, verb, capability }) => ({
    ...{ family, resource, verb },
    ...(capability === undefined ? {} : { capability }),
  }));
  return [...new Map(named.map((need) => [canonicalize(need), need])).values()];
}

/** Scopes, and requests for terms, of one action. */
export const NEEDS_MAX = 32;

/** True for requests as a claim records them. */
export const areNamedNeeds: Is<readonly NamedNeed[]> = isListOf(
  hasOnly({ family: isText, resource: isText, verb: isText }, { capability: isText }),
  { least: 1, most: NEEDS_MAX },
);

const areScopes = isListOf(isScope, { most: NEEDS_MAX });
const areRequests = isListOf(isTermRequest, { most: NEEDS_MAX });

/** Reads needs; undefined when they cannot be read, and then nothing is admitted. */
export function readNeeds(value: unknown): Needs | undefined {
  if (!isPlainObject(value)) return undefined;
  const { scopes = [], terms = [], amounts = {}, ...unknown } = value;
  const isRead =
    Object.keys(unknown).length === 0 &&
    areScopes(scopes) &&
    areRequests(terms) &&
    areAmounts(amounts);
  return isRead ? { scopes, terms, amounts } : undefined;
}

function isTermRequest(value: unknown): value is TermRequest {
  if (!isPlainObject(value)) return false;
  const { family, resource, verb, capability, amounts, ...concerns } = value;
  return (
    isOpenName(family, RESOURCE_FAMILIES) &&
    isGrantName(resource) &&
    isOpenName(verb, VERBS) &&
    (capability === undefined || isOpenName(capability, CAPABILITIES)) &&
    (amounts === undefined || areLimits(amounts)) &&
    Object.entries(concerns).every(isConcern)
  );
}

/**
 * A known name with a text. The bound checks the form of the text: a path that steps up is outside
 * of every bound.
 */
function isConcern([name, text]: readonly [string, unknown]): boolean {
  return BOUND_KINDS.some(({ concern }) => concern === name) && typeof text === "string";
}
