import type { Post } from "@turnseal/host/restate";

/** How long an answer of the engine is waited for: while it has no leader, it gives none. */
const ANSWER_MS = 15_000;

/** Sends JSON to an engine. */
export const postJson: Post = async (url, body) => {
  const response = await fetch(url, {
    method: "POST",
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return { status: response.status, text: await response.text() };
};
