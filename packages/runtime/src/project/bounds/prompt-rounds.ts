/** How many rounds a call of a prompt may have, and whether they all send the same. */
import { type CheckedLoop, EMPTY_ANSWERS_MAX } from "@turnseal/kernel";
import { ROUNDS_DEFAULT } from "@turnseal/protocol";

/** The most model requests of one call of a prompt that are no attempts of the same. */
export function roundsOf({ definition: { prompt } }: CheckedLoop): number {
  const most = prompt?.maxRounds ?? ROUNDS_DEFAULT;
  // Without tools and feedback, only a repeated question takes another round.
  const again = EMPTY_ANSWERS_MAX + (prompt?.outputRepairs ?? 0);
  const isShort = prompt?.tools === undefined && prompt?.feedback === undefined;
  return isShort ? Math.min(most, 1 + again) : most;
}

/**
 * True if no request has more than the prompt itself: no results of tools, no repairs and no
 * feedback.
 */
export function hasFixedPrompt({ definition: { prompt } }: CheckedLoop): boolean {
  const { tools, outputRepairs, feedback } = prompt ?? {};
  return [tools, outputRepairs, feedback].every((more) => more === undefined);
}
