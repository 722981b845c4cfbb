/** Learns from a provider's count of a request for later estimates. */
import { TOKEN_RATIO_MAX } from "../limits.ts";

/** The share of the room from which on a request is large. */
const LARGE = 0.25;

/**
 * Returns the trusted ratio of counted to estimated tokens. Undefined for a small request: most of
 * its count is the provider's own part, which does not grow.
 */
export function findRatio(
  counted: number | undefined,
  estimate: number,
  tokensMax: number,
): number | undefined {
  if (counted === undefined || estimate === 0 || estimate < tokensMax * LARGE) return undefined;
  return Math.min(counted / estimate, TOKEN_RATIO_MAX / 1_000);
}
