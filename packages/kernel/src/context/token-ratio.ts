/** What a provider's count of a request says of the estimates that follow. */
import { TOKEN_RATIO_MAX } from "../limits.ts";

/** The share of the room from which on a request is large. */
const LARGE = 0.25;

/**
 * Tokens that a provider counted for one estimated one, as far as it is believed; undefined where
 * the request says nothing: of a small one most is what the provider writes around it, which does
 * not grow.
 */
export function findRatio(
  counted: number | undefined,
  estimate: number,
  tokensMax: number,
): number | undefined {
  if (counted === undefined || estimate === 0 || estimate < tokensMax * LARGE) return undefined;
  return Math.min(counted / estimate, TOKEN_RATIO_MAX / 1_000);
}
