/**
 * The most tokens of a request of a thread: by the policy, else by the bound model, else the
 * default. The model's own number is recorded, and a resume takes it from there: on another worker
 * the model may say otherwise.
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
  const recorded = world.kind === "run" ? world.effects.journal.findWindow(frame) : undefined;
  const tokensMax = recorded === undefined ? readStated(routes) : (recorded.tokens ?? undefined);
  const most = tokensMax ?? CONTEXT_TOKENS_DEFAULT;
  return { tokensMax: most, isStated: most !== CONTEXT_TOKENS_DEFAULT };
}

/**
 * The smallest window of all candidates, since every one of them must be able to read the request.
 */
function readStated({ candidates }: ModelRoutes): number {
  return Math.min(
    ...candidates.map(({ model, backend }) => {
      const stated = model.contextTokens?.(backend.model ?? model.defaultModel);
      return isTokens(stated) ? stated : CONTEXT_TOKENS_DEFAULT;
    }),
  );
}

/** A model is foreign code: an invalid number counts as absent. */
function isTokens(stated: unknown): stated is number {
  return Number.isSafeInteger(stated) && (stated as number) > 0;
}
