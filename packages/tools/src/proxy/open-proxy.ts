/**
 * The proxy of one command: its only way to a network.
 *
 * 1. It listens on a socket that is a file, which the sandbox of the command shows it.
 * 2. A host is resolved once for each connection, and the checked address is connected to.
 * 3. A request is written anew from what was parsed, so that no other can hide in it.
 * 4. It ends with its command, with all connections.
 * 5. No bytes of a host or a command make a listener throw: an error would end the worker.
 */
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveHost } from "../web/address-guard.ts";
import { failAnswer, forwardRequest } from "./forward-request.ts";
import { guard } from "./guard.ts";
import { type Judgement, judgeRequest, judgeTunnel } from "./judge-target.ts";
import { PROXY_BYTES_MAX, PROXY_CONNECTIONS_MAX, PROXY_IDLE_MS, REFUSALS_MAX } from "./limits.ts";
import { createMeter } from "./meter.ts";
import type { NetworkReach } from "./network-reach.ts";
import { openTunnel } from "./open-tunnel.ts";

export interface CommandProxy {
  /** The path of its socket. */
  readonly socket: string;
  /** Why it refused, each reason once. */
  refusals(): readonly string[];
  close(): void;
}

/** The account that may connect, where it is not that of this process. */
export interface ProxyAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Rejects where the socket cannot be made. `most` bytes pass on either side. */
export async function openProxy(
  reach: NetworkReach,
  account: ProxyAccount | undefined,
  most = PROXY_BYTES_MAX,
): Promise<CommandProxy> {
  const refused = new Set<string>();
  const note = (why: string) => {
    if (refused.size < REFUSALS_MAX) refused.add(why);
    return why;
  };
  const { hold, end } = holdSockets();
  const createSide = () => {
    const meter = createMeter((why) => {
      note(why);
      end();
    }, most);
    return (socket: Socket) => {
      meter.watch(socket);
      hold(socket);
    };
  };
  const server = createServerOf({ reach, note, hold: createSide() });
  server.on("connection", guard(createSide(), drop));
  const { socket, remove } = await listen(server, account);
  return {
    ...{ socket, refusals: () => [...refused] },
    close: () => {
      server.close();
      end();
      remove();
    },
  };
}

/** Sockets that end together. One that comes later ends at once. */
function holdSockets() {
  const sockets = new Set<Socket>();
  let isEnded = false;
  return {
    hold: (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
      if (isEnded) socket.destroy();
    },
    end: () => {
      isEnded = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function createServerOf(desk: Desk) {
  const server = createServer(
    guard(
      (request: IncomingMessage, response: ServerResponse) => answer(request, response, desk),
      (_, response) => failAnswer(response),
    ),
  );
  server.maxConnections = PROXY_CONNECTIONS_MAX;
  server.setTimeout(PROXY_IDLE_MS);
  server.on("drop", () => desk.note(`a command has at most ${PROXY_CONNECTIONS_MAX} connections`));
  server.on(
    "connect",
    guard(
      (request: IncomingMessage, client: Socket, head: Buffer) =>
        tunnel(request, { client, head }, desk),
      (_, client) => drop(client),
    ),
  );
  server.on("clientError", (_, client) => {
    desk.note("the request is not valid HTTP");
    client.destroy();
  });
  // Such as a connection that could not be accepted.
  server.on("error", () => {});
  return server;
}

const drop = (socket: Socket) => void socket.destroy();

async function listen(server: ReturnType<typeof createServer>, account: ProxyAccount | undefined) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "turnseal-proxy-")));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const socket = join(folder, "socket");
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, resolve);
    });
    // Only this account passes the folder, so that the mode of the socket opens it for no other.
    chmodSync(socket, 0o666);
    if (account !== undefined) chownSync(folder, account.uid, account.gid);
  } catch (error) {
    server.close();
    remove();
    throw error;
  }
  return { socket, remove };
}

interface Desk {
  readonly reach: NetworkReach;
  /** Keeps a reason for the result of the command. */
  note(why: string): string;
  /** Counts a connection to a host, and ends it with the proxy. */
  hold(socket: Socket): void;
}

async function resolve(judged: Judgement) {
  if (judged.kind === "refused") return judged;
  const { url, isTrusted } = judged;
  const resolved = await resolveHost(url.hostname, isTrusted);
  if (resolved.kind === "refused") return resolved;
  return { kind: "open" as const, url, address: resolved.address };
}

async function answer(request: IncomingMessage, response: ServerResponse, desk: Desk) {
  request.on("error", () => {});
  response.on("error", () => {});
  const found = await resolve(judgeRequest(desk.reach, request));
  if (found.kind !== "refused") return forwardRequest(request, response, { ...found, ...desk });
  // The rest of the request is not read as another one.
  response.writeHead(403, { "content-type": "text/plain", connection: "close" });
  response.end(`turnseal: refused: ${desk.note(found.why)}\n`);
}

interface TunnelEnd {
  readonly client: Socket;
  readonly head: Buffer;
}

async function tunnel({ url = "" }: IncomingMessage, { client, head }: TunnelEnd, desk: Desk) {
  client.on("error", () => client.destroy());
  const found = await resolve(judgeTunnel(desk.reach, url));
  if (found.kind !== "refused") return openTunnel({ client, head }, { ...found, ...desk });
  const text = `turnseal: refused: ${desk.note(found.why)}\n`;
  client.end(
    `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
