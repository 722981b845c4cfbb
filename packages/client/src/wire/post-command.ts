import { type Backoff, backoffMs, pause, retryAfterMs } from "./backoff.ts";
import { isPassing } from "./read-stream.ts";
import { requestRun, type ServerAddress } from "./server-address.ts";
import { readRefusal, type ServerRefusal } from "./server-refusal.ts";

/** How often one command is sent before its sender is told that the server is away. */
export const COMMAND_ATTEMPTS_MAX = 6;
/** Milliseconds that one attempt may take. */
export const COMMAND_MS_MAX = 30_000;

export type CommandAnswer =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly refusal: ServerRefusal }
  /** It may have arrived: the same command with the same key can be sent again. */
  | { readonly kind: "unreachable" };

export interface Command {
  readonly path: "messages" | "decisions" | "answers" | "resolutions" | "abort";
  readonly body: object;
  readonly backoff?: Backoff | undefined;
}

/** Sends the same bytes until somebody answers: a command that arrives twice counts once. */
export async function postCommand(
  address: ServerAddress,
  { path, body, backoff }: Command,
): Promise<CommandAnswer> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  for (let attempt = 0; attempt < COMMAND_ATTEMPTS_MAX; attempt++) {
    const signal = AbortSignal.timeout(COMMAND_MS_MAX);
    const response = await requestRun(address, { path, init: { ...init, signal } }).catch(
      () => undefined,
    );
    if (response !== undefined && !response.ok && !isPassing(response.status))
      return { kind: "refused", refusal: await readRefusal(response) };
    // What it says is of no interest, and an answer that nobody reads holds its connection.
    await response?.body?.cancel().catch(() => undefined);
    if (response?.ok) return { kind: "accepted" };
    const askedMs = response === undefined ? 0 : retryAfterMs(response);
    await pause(Math.max(askedMs, backoffMs(attempt, Math.random(), backoff)));
  }
  return { kind: "unreachable" };
}
