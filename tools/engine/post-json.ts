import type { Post } from "@turnseal/host/restate";

/** Sends messages to an engine over the network, and waits for each answer for so long. */
export function postJson(timeoutMs = 15_000): Post {
  return async (url, body) => {
    const response = await fetch(url, {
      method: "POST",
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await response.text() };
  };
}
