/**
 * The way to a Redis server, which may be away at any time.
 *
 * 1. Callers never wait for it: while the server is away, a call fails at once. The connection
 *    comes back by itself.
 * 2. Commands are sent in order. Scripts are on the server before anything uses them. So no command
 *    has to be sent a second time, behind later ones.
 */
import { createHash } from "node:crypto";
import { createClient } from "redis";

type Hear = (message: string) => void;

export interface Connection {
  /** Puts scripts on the server, now and after each reconnect. */
  prepare(scripts: readonly string[]): void;
  /** Runs a script. Rejects when the server is away; an earlier part of it may have been done. */
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Sends one command, on the same terms. */
  send(...command: readonly string[]): Promise<unknown>;
  /**
   * Listens to a channel, from when the answer resolves and through reconnects. It resolves as soon
   * as there is a server, after any time.
   */
  subscribe(channel: string, hear: Hear): Promise<void>;
  unsubscribe(channel: string, hear: Hear): void;
  /** Called when the connection is there, or there again: something may have been missed. */
  onReturn(listener: () => void): void;
  /** Resolves when the connection is there for the first time. */
  readonly opened: Promise<void>;
  /** Whether it is there now. */
  isUp(): boolean;
  close(): void;
}

/** Commands that may be under way: with more, new ones are refused, and nothing piles up. */
const COMMANDS_MAX = 10_000;
const CONNECT_MS_MAX = 5_000;
const RECONNECT_MS_MAX = 2_000;

export function openConnection(url: string, scripts: readonly string[]): Connection {
  const returned = new Set<() => void>();
  const opened = Promise.withResolvers<void>();
  const open = (): void => {
    if (!commands.isReady() || !subscriptions.isReady()) return;
    for (const listener of returned) listener();
    opened.resolve();
  };
  const commands = openCommands(createClientOf(url, true), scripts, open);
  const subscriptions = openSubscriptions(createClientOf(url, false), open);
  return {
    prepare: commands.prepare,
    run: commands.run,
    send: (...command) => commands.send(command),
    subscribe: subscriptions.subscribe,
    unsubscribe: subscriptions.unsubscribe,
    onReturn: (listener) => void returned.add(listener),
    opened: opened.promise,
    isUp: () => commands.isReady() && subscriptions.isReady(),
    close: () => {
      commands.close();
      subscriptions.close();
    },
  };
}

type Client = ReturnType<typeof createClientOf>;

function createClientOf(url: string, disableOfflineQueue: boolean) {
  const client = createClient({
    url,
    disableOfflineQueue,
    commandsQueueMaxLength: COMMANDS_MAX,
    socket: {
      connectTimeout: CONNECT_MS_MAX,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 6), RECONNECT_MS_MAX),
    },
  });
  // Without a listener an error would end the process; each call reports the lost connection.
  client.on("error", () => {});
  client.connect().catch(() => {});
  return client;
}

function openCommands(client: Client, scripts: readonly string[], onReady: () => void) {
  const digests = new Map(scripts.map((script) => [script, digestOf(script)]));
  const loadScript = (script: string) => client.sendCommand(["SCRIPT", "LOAD", script]);
  let isLoaded = false;
  const loadAll = async (): Promise<void> => {
    isLoaded = false;
    for (const script of digests.keys()) await loadScript(script);
    isLoaded = true;
  };
  // A failure here fails with the connection, and is retried with the next one.
  const reload = (): void => void loadAll().then(onReady, () => {});
  client.on("ready", reload);
  const send = async (command: readonly string[]): Promise<unknown> => {
    if (!client.isReady || !isLoaded) throw new Error("the server is away");
    return client.sendCommand([...command]).catch((error: unknown) => {
      // The server has lost the scripts: the request is lost, and they are loaded again.
      if (String(error).includes("NOSCRIPT")) reload();
      throw error;
    });
  };
  return {
    send,
    prepare: (added: readonly string[]): void => {
      const unknown = added.filter((script) => !digests.has(script));
      for (const script of unknown) {
        digests.set(script, digestOf(script));
        // Commands keep their order, so the script is there when it is run.
        if (client.isReady) loadScript(script).catch(() => {});
      }
    },
    run: (script: string, keys: readonly string[], args: readonly string[]) =>
      send(["EVALSHA", digests.get(script) ?? "", String(keys.length), ...keys, ...args]),
    isReady: () => client.isReady && isLoaded,
    close: () => client.destroy(),
  };
}

function openSubscriptions(client: Client, onReady: () => void) {
  /** How to make the subscriptions that are not made yet. */
  const wanted = new Map<Hear, () => void>();
  client.on("ready", () => {
    for (const attempt of wanted.values()) attempt();
    onReady();
  });
  return {
    subscribe: (channel: string, hear: Hear): Promise<void> => {
      const done = Promise.withResolvers<void>();
      const settle = (): void => {
        wanted.delete(hear);
        done.resolve();
      };
      // An attempt fails with the connection, and the next one brings another.
      const attempt = (): void => void client.subscribe(channel, hear).then(settle, () => {});
      wanted.set(hear, attempt);
      attempt();
      return done.promise;
    },
    unsubscribe: (channel: string, hear: Hear): void => {
      wanted.delete(hear);
      client.unsubscribe(channel, hear).catch(() => {});
    },
    isReady: () => client.isReady,
    close: () => client.destroy(),
  };
}

function digestOf(script: string): string {
  return createHash("sha1").update(script).digest("hex");
}
