import { type Backoff, backoffMs, pause, retryAfterMs } from "./backoff.ts";
import { isPassing } from "./read-stream.ts";
import { requestRun, type ServerAddress } from "./server-address.ts";
import { REFUSAL_LENGTH_MAX, readRefusal, type ServerRefusal } from "./server-refusal.ts";

/** Attempts to send one command, before it fails because the server is away. */
export const COMMAND_ATTEMPTS_MAX = 6;
/** Milliseconds that one attempt may take. */
export const COMMAND_MS_MAX = 30_000;

export type CommandAnswer =
  /** `queued` explains why a message waits before its turn begins. */
  | { readonly kind: "accepted"; readonly queued?: string }
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
    if (response?.ok) return { kind: "accepted", ...(await readQueued(response)) };
    // An answer that nobody reads holds its connection.
    await response?.body?.cancel().catch(() => undefined);
    const askedMs = response === undefined ? 0 : retryAfterMs(response);
    await pause(Math.max(askedMs, backoffMs(attempt, Math.random(), backoff)));
  }
  return { kind: "unreachable" };
}

/** The message is stored, even where the rest of the answer cannot be read. */
async function readQueued(response: Response): Promise<{ readonly queued?: string }> {
  const text = await response.text().catch(() => "");
  if (text.length > REFUSAL_LENGTH_MAX) return {};
  try {
    const { queued } = JSON.parse(text);
    return typeof queued === "string" ? { queued } : {};
  } catch {
    return {};
  }
}
