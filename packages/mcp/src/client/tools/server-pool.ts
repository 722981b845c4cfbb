/**
 * The connections to one server: one for each set of secrets, made at the first call.
 *
 * 1. A server whose identity is not as pinned is not started.
 * 2. A call uses a list of tools that was begun after the call. Calls at the same time share one.
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
  const open = new Map<string, Promise<ListedServer>>();
  return {
    open: (secrets) => {
      const key = sha256Hex(canonicalize(secrets));
      const before = open.get(key)?.catch(() => undefined) ?? Promise.resolve(undefined);
      // In a chain, so that calls at the same time make one connection.
      const made = before.then((known) =>
        known?.connection.isOpen() === true ? known : connect(server, secrets),
      );
      open.set(key, made);
      return made;
    },
    close: async () => {
      const made = await Promise.allSettled(open.values());
      open.clear();
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
  const connection = await connectServer(config, { secrets, era: pin.era, signal });
  return { connection, list: shareLists(connection) };
}

function shareLists(connection: Connection): () => Promise<readonly unknown[]> {
  let running: Promise<readonly unknown[]> | undefined;
  let next: Promise<readonly unknown[]> | undefined;
  const start = (): Promise<readonly unknown[]> => {
    const list = connection.listTools(AbortSignal.timeout(CONNECT_MS_MAX));
    const done = list.finally(() => {
      if (running === done) running = undefined;
    });
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
