import { type Amounts, areAmounts } from "../budget/budget.ts";
import { isPlainObject } from "../canonical-json.ts";
import { isInstant, toInstant } from "../run/instant.ts";

/** What a run may do. Without a grant it may do nothing. */
export interface Grant {
  /** Who gave it. */
  readonly grantor: string;
  /** Tool references that may be executed, such as `local.refund`. */
  readonly tools: readonly string[];
  /** Caps for the whole run. A unit that is absent has no cap of its own. */
  readonly budget: Amounts;
  /** ISO 8601 in UTC: from then on no turn begins and no tool is admitted. */
  readonly expiresAt?: string;
}

/** Why something is not allowed. */
export type DenialReason = "grant-missing" | "grant-expired" | "tool-not-granted";

/** Tools that one grant may name. */
export const GRANT_TOOLS_MAX = 256;
/** Code points of the name of a tool or of a grantor. */
export const GRANT_NAME_LENGTH_MAX = 256;

/** Reads a grant from outside, or answers what is wrong with it. */
export function parseGrant(value: unknown): Grant | { readonly problem: string } {
  if (!isPlainObject(value)) return { problem: "a grant is an object" };
  const { grantor, tools, budget, expiresAt, ...unknown } = value;
  const [extra] = Object.keys(unknown);
  if (extra !== undefined) return { problem: `\`${extra}\` is not a field of a grant` };
  if (!isName(grantor)) return { problem: "`grantor` names who gives it" };
  if (!Array.isArray(tools) || tools.length > GRANT_TOOLS_MAX || !tools.every(isName)) {
    return { problem: `\`tools\` is a list of at most ${GRANT_TOOLS_MAX} tool references` };
  }
  if (!areAmounts(budget)) return { problem: "`budget` holds whole numbers by known unit" };
  const expiry = toInstant(expiresAt);
  if (expiresAt !== undefined && expiry === undefined) {
    return { problem: "`expiresAt` is an ISO 8601 time in UTC, such as 2030-01-31T00:00:00Z" };
  }
  return { grantor, tools, budget, ...(expiry === undefined ? {} : { expiresAt: expiry }) };
}

/**
 * Reads a grant as events record it; undefined when it cannot be read, and then it allows nothing.
 */
export function readGrant(value: unknown): Grant | undefined {
  const grant = parseGrant(value);
  if ("problem" in grant) return undefined;
  const { expiresAt } = value as Grant;
  return expiresAt === undefined || isInstant(expiresAt) ? grant : undefined;
}

function isName(value: unknown): value is string {
  if (typeof value !== "string" || value === "") return false;
  // A code point is one UTF-16 unit or two; counting them all is for texts that may be short
  // enough.
  return value.length <= 2 * GRANT_NAME_LENGTH_MAX && [...value].length <= GRANT_NAME_LENGTH_MAX;
}

/** Decides whether a tool may be executed at `nowMs`. */
export function admitTool(grant: Grant, tool: string, nowMs: number): DenialReason | undefined {
  if (grant.expiresAt !== undefined && !(nowMs < Date.parse(grant.expiresAt)))
    return "grant-expired";
  return grant.tools.includes(tool) ? undefined : "tool-not-granted";
}
