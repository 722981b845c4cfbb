/** Asking a server, once or until somebody answers. */
import { type Backoff, backoffMs, pause, retryAfterMs } from "../wire/backoff.ts";
import { isPassing } from "../wire/read-stream.ts";
import { requestServer, type ServerPlace } from "../wire/server-address.ts";
import { readRefusal } from "../wire/server-refusal.ts";

/** The most requests to a server that does not answer. */
export const CHAT_ATTEMPTS_MAX = 20;

export function createAsking(place: ServerPlace, backoff: Backoff | undefined) {
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await requestServer(place, path, init);
    if (!response.ok) throw await toError(response);
    return response;
  };
  /** Repeats a request until the server answers: a repeated request counts once. */
  const askOn = async (path: string, init: RequestInit): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await attemptRequest(() => requestServer(place, path, init));
      if (answer.kind === "answered" && !isPassing(answer.response.status)) {
        if (!answer.response.ok) throw await toError(answer.response);
        return answer.response;
      }
      init.signal?.throwIfAborted();
      if (attempt + 1 >= CHAT_ATTEMPTS_MAX)
        throw answer.kind === "answered" ? await toError(answer.response) : answer.error;
      const askedMs = answer.kind === "answered" ? retryAfterMs(answer.response) : 0;
      await pause(Math.max(askedMs, backoffMs(attempt, Math.random(), backoff)));
    }
  };
  return { ask, askOn };
}

type Attempt =
  | { readonly kind: "answered"; readonly response: Response }
  | { readonly kind: "failed"; readonly error: unknown };

/** A kind tells them apart: web frameworks replace the global class of responses by their own. */
async function attemptRequest(request: () => Promise<Response>): Promise<Attempt> {
  try {
    return { kind: "answered", response: await request() };
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** A refusal as the AI SDK hands it to `onError`. */
export async function toError(response: Response): Promise<Error> {
  const { code, message } = await readRefusal(response);
  return new Error(message === "" ? code : `${code}: ${message}`);
}
