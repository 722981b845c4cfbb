/**
 * The connections to one server: one for each set of secrets, made at the first call.
 *
 * 1. A server whose identity is not as pinned is not started.
 * 2. A call uses a list of tools that was begun after the call. Calls at the same time share one.
 * 3. Calls that wait share one attempt to connect. The next call after a failure connects again.
 */
import { canonicalize, sha256Hex } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import type { McpServerConfig } from "../config/server-config.ts";
import { CONNECT_MS_MAX } from "../limits.ts";
import { identifyServer } from "../pins/identify-server.ts";
import type { ServerPin } from "../pins/pin.ts";
import { connectServer } from "../wire/connect-server.ts";
import type { Connection } from "../wire/connection.ts";

export interface ListedServer {
  readonly connection: Connection;
  list(): Promise<readonly unknown[]>;
}

export interface ServerPool {
  open(secrets: Readonly<Record<string, string>>): Promise<ListedServer>;
  close(): Promise<void>;
}

export interface PooledServer {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly pin: Pick<ServerPin, "identity" | "era">;
}

export function openPool(server: PooledServer): ServerPool {
  const attempts = new Map<string, Promise<ListedServer>>();
  /** The attempt of all calls that wait. `ended` is one whose connection is over. */
  const shareAttempt = (
    secrets: Readonly<Record<string, string>>,
    ended?: Promise<ListedServer>,
  ): Promise<ListedServer> => {
    const key = sha256Hex(canonicalize(secrets));
    const held = attempts.get(key);
    if (held !== undefined && held !== ended) return held;
    const made = connect(server, secrets);
    attempts.set(key, made);
    made.catch(() => {
      if (attempts.get(key) === made) attempts.delete(key);
    });
    return made;
  };
  return {
    open: async (secrets) => {
      const attempt = shareAttempt(secrets);
      const listed = await attempt;
      return listed.connection.isOpen() ? listed : shareAttempt(secrets, attempt);
    },
    close: async () => {
      const made = await Promise.allSettled(attempts.values());
      attempts.clear();
      for (const one of made) if (one.status === "fulfilled") await one.value.connection.close();
    },
  };
}

async function connect(
  { name, config, pin }: PooledServer,
  secrets: Readonly<Record<string, string>>,
): Promise<ListedServer> {
  if (canonicalize(identifyServer(config)) !== canonicalize(pin.identity))
    throw notDone(
      `the server ${name} is not the pinned one: compare with \`turnseal mcp diff ${name}\``,
    );
  const signal = AbortSignal.timeout(CONNECT_MS_MAX);
  const connection = retirable(await connectServer(config, { secrets, era: pin.era, signal }));
  return { connection, list: shareLists(connection) };
}

interface Retirable extends Connection {
  /** No later call uses it. It is closed after the calls that it has. */
  retire(): void;
}

function retirable(connection: Connection): Retirable {
  let [isRetired, calls] = [false, 0];
  const closeUnused = () => {
    if (isRetired && calls === 0) void connection.close();
  };
  return {
    ...connection,
    isOpen: () => !isRetired && connection.isOpen(),
    callTool: (call) => {
      calls += 1;
      return connection.callTool(call).finally(() => {
        calls -= 1;
        closeUnused();
      });
    },
    retire: () => {
      isRetired = true;
      closeUnused();
    },
  };
}

function shareLists(connection: Retirable): () => Promise<readonly unknown[]> {
  let running: Promise<readonly unknown[]> | undefined;
  let next: Promise<readonly unknown[]> | undefined;
  const start = (): Promise<readonly unknown[]> => {
    const list = connection.listTools(AbortSignal.timeout(CONNECT_MS_MAX));
    const done = list.finally(() => {
      if (running === done) running = undefined;
    });
    // A server that has lost its session answers no list again.
    done.catch(() => connection.retire());
    running = done;
    return done;
  };
  return () => {
    if (running === undefined) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
