/**
 * Answers of the server that are relied on: none in time, or a refusal, is an error with a code.
 */
import { StoreError } from "@turnseal/ports";
import { within } from "./within.ts";

/** How long the server may take. A request without an answer may still have been done. */
export const ANSWER_MS_MAX = 5_000;

export async function readTexts(asked: Promise<unknown>): Promise<readonly string[]> {
  const answer = await answerOf(asked);
  return Array.isArray(answer) ? answer.map(String) : [];
}

export async function answerOf(asked: Promise<unknown>): Promise<unknown> {
  const told = asked.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const answer = await within<{ value: unknown } | { error: unknown }>(told, ANSWER_MS_MAX);
  if (answer === undefined)
    throw new StoreError("STORE_UNREACHABLE", "the Redis server did not answer in time");
  if ("value" in answer) return answer.value;
  if (/^(?:Error: )?(?:OOM|MISCONF)\b/.test(String(answer.error)))
    throw new StoreError("STORE_FULL", "the Redis server has no room left", answer.error);
  throw new StoreError("STORE_UNREACHABLE", "the Redis server cannot be reached", answer.error);
}

export function toPairs(texts: readonly string[]): readonly (readonly [string, string])[] {
  return texts.flatMap((text, at) => (at % 2 === 0 ? [[text, texts[at + 1] ?? ""] as const] : []));
}
