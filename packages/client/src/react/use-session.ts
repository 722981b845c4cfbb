import { useEffect, useMemo, useSyncExternalStore } from "react";
import {
  createSessionClient,
  type SessionClient,
  type SessionClientOptions,
  type SessionView,
} from "../create-session-client.ts";

/** The shown session, and the actions of a person. */
export type Session = SessionView &
  Pick<SessionClient, "send" | "decide" | "answer" | "resolve" | "abort">;

/**
 * Watches a run while the component is mounted. Only another `url` or `run` makes a new client.
 * Token, headers and fetch are those of the first render, so a token that expires is passed as a
 * function.
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
