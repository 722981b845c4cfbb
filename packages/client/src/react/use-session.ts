import { useEffect, useMemo, useSyncExternalStore } from "react";
import {
  createSessionClient,
  type SessionClient,
  type SessionClientOptions,
  type SessionView,
} from "../create-session-client.ts";

/** What is shown, and what a person can do. */
export type Session = SessionView &
  Pick<SessionClient, "send" | "decide" | "answer" | "resolve" | "abort">;

/**
 * Watches a run while the component is there. A new client is made when `url` or `run` change, and
 * then only: token, headers and fetch are those of the first time, and a token that expires is
 * given as a function.
 *
 * @example
 * const { items, send } = useSession({ url, run, token });
 */
export function useSession(options: SessionClientOptions): Session {
  const { url, run } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an object literal is new each time.
  const client = useMemo(() => createSessionClient(options), [url, run]);
  useEffect(() => {
    client.connect();
    return client.close;
  }, [client]);
  const view = useSyncExternalStore(client.subscribe, client.state, client.state);
  const { send, decide, answer, resolve, abort } = client;
  return useMemo(
    () => ({ ...view, send, decide, answer, resolve, abort }),
    [view, send, decide, answer, resolve, abort],
  );
}
