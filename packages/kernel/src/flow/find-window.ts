/**
 * The most tokens of a request of a thread: what the policy says, else what the bound model says,
 * else the default. What a model said is recorded, and a resume takes it from there: another worker
 * may be told otherwise.
 */
import type { ModelRoutes } from "../actions/route-model.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { CONTEXT_TOKENS_DEFAULT } from "../limits.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";

export interface Window {
  readonly tokensMax: number;
  /** True where the bound model said so, and it is not the default. */
  readonly isStated: boolean;
}

export function findWindow(
  { definition }: CheckedLoop,
  routes: ModelRoutes,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Window {
  const own = definition.policy?.contextTokensMax;
  if (own !== undefined) return { tokensMax: own, isStated: false };
  const recorded = world.journal.findWindow(frame);
  const tokensMax = recorded === undefined ? readStated(routes) : (recorded.tokens ?? undefined);
  const most = tokensMax ?? CONTEXT_TOKENS_DEFAULT;
  return { tokensMax: most, isStated: most !== CONTEXT_TOKENS_DEFAULT };
}

/** The smallest of all that may be asked: whichever answers has read all of it. */
function readStated({ candidates }: ModelRoutes): number {
  return Math.min(
    ...candidates.map(({ model, backend }) => {
      const stated = model.contextTokens?.(backend.model ?? model.defaultModel);
      return isTokens(stated) ? stated : CONTEXT_TOKENS_DEFAULT;
    }),
  );
}

/** A model is foreign code: what is no number of tokens says nothing. */
function isTokens(stated: unknown): stated is number {
  return Number.isSafeInteger(stated) && (stated as number) > 0;
}
