/** The authority of a run (spec/grant.md). Without a grant a run may do nothing. */
import { type Amounts, areAmounts, BUDGET_UNITS, isUnit } from "../budget/budget.ts";
import { type ByPeriod, PERIOD_KINDS } from "../budget/period.ts";
import { canonicalize, isPlainObject } from "../canonical-json.ts";
import { findNearest } from "../find-nearest.ts";
import { toInstant } from "../instant.ts";
import { isCountWithin, isListOf } from "../shape.ts";
import { isGrantName, isToolReference } from "../tool-reference.ts";
import { EVERY_SCOPE, isScope } from "./scope.ts";
import { mintTerm, parseTermContent, type Term } from "./term.ts";

export interface Grant {
  /** The grantor's name. */
  readonly grantor: string;
  /** Tool references that may be executed, such as `local.refund`. */
  readonly tools: readonly string[];
  /** The scopes that tools may ask for by name, such as `repo:read`. */
  readonly scopes?: readonly string[];
  /** Authority over resources. */
  readonly terms?: readonly Term[];
  /** Loops that a run may be handed to. */
  readonly handoffs?: readonly string[];
  /** Levels of handoffs that may follow below; HANDOFF_DEPTH_DEFAULT when absent. */
  readonly depth?: number;
  /** Caps for the whole run. A unit that is absent has no cap of its own. */
  readonly budget: Amounts;
  /** Caps on what one action may reserve. */
  readonly perCall?: Amounts;
  /** Caps for each hour, day, week or month of the calendar in UTC. */
  readonly perPeriod?: ByPeriod<Amounts>;
  /** ISO 8601 in UTC: from then on no turn begins and no tool is admitted. */
  readonly expiresAt?: string;
}

/** Tools that one grant may name. */
export const GRANT_TOOLS_MAX = 256;
/** Scopes that one grant may name. */
export const GRANT_SCOPES_MAX = 256;
/** Terms of one grant. */
export const GRANT_TERMS_MAX = 128;
/** Loops that one grant may hand to. */
export const GRANT_HANDOFFS_MAX = 64;
/** UTF-16 units of the canonical form of a grant. */
export const GRANT_LENGTH_MAX = 131_072;
/** Levels of handoffs below a run whose grant does not say. */
export const HANDOFF_DEPTH_DEFAULT = 3;
/** The most that a grant may say. */
export const HANDOFF_DEPTH_MAX = 32;

export interface GrantOrigin {
  /** The grant comes from the host's own people: it may hold the scope `*`. */
  readonly isFirstParty?: boolean;
}

type Problem = { readonly problem: string };

/** Reads a grant from outside, or answers what is wrong with it. */
export function parseGrant(value: unknown, origin: GrantOrigin = {}): Grant | Problem {
  const fields = parseFields(value, origin);
  if ("problem" in fields) return fields;
  const { grantor, budget, terms = [], ...others } = fields;
  if (grantor === undefined) return { problem: "`grantor` names who gives it" };
  if (budget === undefined) return { problem: amountsProblem("budget", undefined) };
  const named = terms.filter((term): term is Term => term.id !== undefined);
  if (named.length < terms.length) return { problem: "`id` names a term" };
  if (new Set(named.map(({ id }) => id)).size < named.length)
    return { problem: "`id` names one term of a grant" };
  const grant = { grantor, budget, ...others, ...(fields.terms && { terms: named }) };
  return checkLength(grant);
}

/** A request for a narrower grant: absent fields come from the wider one. */
export type GrantRequest = Omit<Grant, "grantor" | "budget"> & { readonly budget?: Amounts };

/** Reads a request for a narrower grant. Names of terms and of a grantor are not taken from it. */
export function parseGrantRequest(value: unknown): GrantRequest | Problem {
  const fields = parseFields(value, {});
  if ("problem" in fields) return fields;
  const { grantor: _, terms, ...others } = fields;
  if (terms === undefined) return checkLength(others);
  const minted = new Map(
    terms.map(({ id: _, ...content }) => {
      const term = mintTerm(content);
      return [term.id, term];
    }),
  );
  return checkLength({ ...others, terms: [...minted.values()] });
}

function checkLength<Checked extends object>(grant: Checked): Checked | Problem {
  const text = renderPlain(grant);
  if (text === undefined) return { problem: "a grant is plain JSON" };
  return text.length <= GRANT_LENGTH_MAX
    ? grant
    : { problem: `a grant has at most ${GRANT_LENGTH_MAX} characters` };
}

/**
 * Reads a grant as events record it; undefined when it cannot be read, and then it allows nothing.
 */
export function readGrant(value: unknown): Grant | undefined {
  // The start of the run decided whether `*` is allowed.
  const grant = parseGrant(value, { isFirstParty: true });
  if ("problem" in grant) return undefined;
  // A record has one form: what reading would change was not recorded so.
  return renderPlain(grant) === renderPlain(value) ? grant : undefined;
}

function renderPlain(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}

/** The fields of a grant, each checked by itself, and present only if given. */
type Fields = Omit<Partial<Grant>, "tools" | "terms"> & {
  readonly tools: readonly string[];
  readonly terms?: readonly (Omit<Term, "id"> & { readonly id?: string })[];
};

const areTools = isListOf(isToolReference, { most: GRANT_TOOLS_MAX });
const areScopes = isListOf(isScope, { most: GRANT_SCOPES_MAX });
const areFirstPartyScopes = isListOf(
  (item): item is string => isScope(item) || item === EVERY_SCOPE,
  { most: GRANT_SCOPES_MAX },
);
const areLoops = isListOf(isGrantName, { most: GRANT_HANDOFFS_MAX });
const isDepth = isCountWithin({ least: 0, most: HANDOFF_DEPTH_MAX });

function parseFields(value: unknown, { isFirstParty = false }: GrantOrigin): Fields | Problem {
  if (!isPlainObject(value)) return { problem: "a grant is an object" };
  const extra = Object.keys(value).find((name) => !fieldNames.has(name));
  if (extra !== undefined) return { problem: `\`${extra}\` is not a field of a grant` };
  const { grantor, tools, scopes, terms, handoffs, depth, expiresAt } = value;
  if (grantor !== undefined && !isGrantName(grantor))
    return { problem: "`grantor` names who gives it" };
  if (!areTools(tools))
    return { problem: `\`tools\` is a list of at most ${GRANT_TOOLS_MAX} tool references` };
  const areGiven = isFirstParty ? areFirstPartyScopes : areScopes;
  if (scopes !== undefined && !areGiven(scopes))
    return { problem: `\`scopes\` is a list of at most ${GRANT_SCOPES_MAX} scopes` };
  if (handoffs !== undefined && !areLoops(handoffs))
    return { problem: `\`handoffs\` is a list of at most ${GRANT_HANDOFFS_MAX} ids of loops` };
  if (depth !== undefined && !isDepth(depth))
    return { problem: `\`depth\` is a whole number up to ${HANDOFF_DEPTH_MAX}` };
  const expiry = toInstant(expiresAt);
  if (expiresAt !== undefined && expiry === undefined)
    return { problem: "`expiresAt` is an ISO 8601 time in UTC, such as 2030-01-31T00:00:00Z" };
  const caps = parseCaps(value);
  if ("problem" in caps) return caps as Problem;
  const parsed = terms === undefined ? undefined : parseTerms(terms);
  if (parsed !== undefined && "problem" in parsed) return parsed;
  return {
    ...(grantor === undefined ? {} : { grantor }),
    tools,
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(parsed === undefined ? {} : { terms: parsed }),
    ...(handoffs === undefined ? {} : { handoffs }),
    ...(depth === undefined ? {} : { depth }),
    ...caps,
    ...(expiry === undefined ? {} : { expiresAt: expiry }),
  };
}

const capNames = ["budget", "perCall"] as const;
const fieldNames: ReadonlySet<string> = new Set([
  ...["grantor", "tools", "scopes", "terms", "handoffs", "depth", "expiresAt"],
  ...[...capNames, "perPeriod"],
]);
const kindNames: ReadonlySet<string> = new Set(PERIOD_KINDS);

type Caps = Partial<Pick<Grant, (typeof capNames)[number] | "perPeriod">>;

function parseCaps(value: Record<string, unknown>): Caps | Problem {
  const given = capNames.filter((name) => value[name] !== undefined);
  const wrong = given.find((name) => !areAmounts(value[name]));
  if (wrong !== undefined) return { problem: amountsProblem(wrong, value[wrong]) };
  const { perPeriod } = value;
  const problem = perPeriod === undefined ? undefined : findPeriodProblem(perPeriod);
  if (problem !== undefined) return { problem };
  const names = perPeriod === undefined ? given : [...given, "perPeriod"];
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

function findPeriodProblem(value: unknown): string | undefined {
  const isKnown = isPlainObject(value) && Object.keys(value).every((kind) => kindNames.has(kind));
  if (!isKnown) return "`perPeriod` holds caps by `hour`, `day`, `week` or `month`";
  const wrong = Object.keys(value).find((kind) => !areAmounts(value[kind]));
  return wrong === undefined ? undefined : amountsProblem(`perPeriod.${wrong}`, value[wrong]);
}

function amountsProblem(name: string, value: unknown): string {
  const unit = Object.keys(Object(value)).find((each) => !isUnit(each));
  const meant = unit === undefined ? undefined : findNearest(unit, BUDGET_UNITS);
  if (meant !== undefined) return `\`${name}\` has no unit ${unit}: did you mean ${meant}?`;
  return `\`${name}\` holds whole numbers by known unit, or by unit with a namespace`;
}

function parseTerms(value: unknown): NonNullable<Fields["terms"]> | Problem {
  if (!Array.isArray(value) || value.length > GRANT_TERMS_MAX)
    return { problem: `\`terms\` is a list of at most ${GRANT_TERMS_MAX} terms` };
  const terms: NonNullable<Fields["terms"]>[number][] = [];
  for (const [index, item] of value.entries()) {
    const { id, ...fields } = isPlainObject(item) ? item : {};
    const content = parseTermContent(isPlainObject(item) ? fields : item);
    if ("problem" in content) return { problem: `term ${index}: ${content.problem}` };
    if (id !== undefined && !isGrantName(id)) return { problem: `term ${index}: \`id\` names it` };
    terms.push(id === undefined ? content : { id, ...content });
  }
  return terms;
}
