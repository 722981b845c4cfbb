/** Asking a server, once or until somebody answers. */
import { type Backoff, backoffMs, pause, retryAfterMs } from "../wire/backoff.ts";
import { isPassing } from "../wire/read-stream.ts";
import { requestServer, type ServerPlace } from "../wire/server-address.ts";
import { readRefusal } from "../wire/server-refusal.ts";

/** How often a server is asked that does not answer. */
export const CHAT_ATTEMPTS_MAX = 20;

export function createAsking(place: ServerPlace, backoff: Backoff | undefined) {
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await requestServer(place, path, init);
    if (!response.ok) throw await toError(response);
    return response;
  };
  /** Asks until somebody answers: what is sent twice counts once. */
  const askOn = async (path: string, init: RequestInit): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await requestServer(place, path, init).catch((error: unknown) => ({
        error,
      }));
      if (answer instanceof Response && !isPassing(answer.status)) {
        if (!answer.ok) throw await toError(answer);
        return answer;
      }
      init.signal?.throwIfAborted();
      if (attempt + 1 >= CHAT_ATTEMPTS_MAX)
        throw answer instanceof Response ? await toError(answer) : answer.error;
      const askedMs = answer instanceof Response ? retryAfterMs(answer) : 0;
      await pause(Math.max(askedMs, backoffMs(attempt, Math.random(), backoff)));
    }
  };
  return { ask, askOn };
}

/** A refusal as the AI SDK hands it to `onError`. */
export async function toError(response: Response): Promise<Error> {
  const { code, message } = await readRefusal(response);
  return new Error(message === "" ? code : `${code}: ${message}`);
}
