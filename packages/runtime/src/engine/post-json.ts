import type { Post } from "@turnseal/host/restate";

/** How long an answer of the engine is waited for: while it has no leader, it gives none. */
const ANSWER_MS = 15_000;

/** Sends JSON to an engine, and waits for each answer for so long. */
export function createPost(answerMs: number): Post {
  return async (url, body) => {
    const response = await fetch(url, {
      method: "POST",
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMs),
    });
    return { status: response.status, text: await response.text() };
  };
}

/** Sends JSON to an engine. */
export const postJson: Post = createPost(ANSWER_MS);
