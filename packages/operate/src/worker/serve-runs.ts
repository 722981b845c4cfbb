/**
 * Serves runs to the engine over HTTP/2, and stops in order: begun steps end, no new step begins,
 * and further requests are sent elsewhere.
 */
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { createRunEndpoint } from "@turnseal/host/restate";
import { KEEP_ALIVE_MS } from "@turnseal/runtime/engine";
import { SIGNATURE_HEADER } from "./judge-signature.ts";

export interface RunServer {
  readonly port: number;
  /** Stops listening, and sends connected clients elsewhere; begun requests go on. */
  leave(): void;
  /** Listens again, where it did. */
  listen(): Promise<void>;
  /** Accepts no more requests; returns true if all begun ones have ended in time. */
  drain(maxMs: number): Promise<boolean>;
}

export interface ServeOptions {
  readonly bind: string;
  readonly port: number;
  /** True if several processes listen on the port. */
  readonly sharesPort?: boolean;
  /** Called with each request, and with each refused signature. */
  readonly onRequest?: (asker: Asker) => void;
  readonly onRefused?: (asker: Asker) => void;
}

/** The sender of a request: its token, and its address. */
export interface Asker {
  readonly token: unknown;
  readonly address: string;
}

export async function serveRuns(
  handler: ReturnType<typeof createRunEndpoint>,
  { bind, port, sharesPort = false, onRequest, onRefused }: ServeOptions,
): Promise<RunServer> {
  const server = createServer((request, response) => {
    const address = request.socket.remoteAddress ?? "";
    const asker = { token: request.headers[SIGNATURE_HEADER], address };
    onRequest?.(asker);
    response.once("finish", () => {
      if (response.statusCode === UNAUTHORIZED) onRefused?.(asker);
    });
    handler(request, response);
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    const timer = setInterval(() => checkAlive(session), KEEP_ALIVE_MS);
    session.on("close", () => {
      clearInterval(timer);
      sessions.delete(session);
    });
    // A broken connection is not reported: the peer asks again.
    session.on("error", () => {});
  });
  await listen(server, { bind, port, sharesPort });
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : port;
  return {
    port: own,
    leave: () => {
      server.close();
      for (const session of sessions) session.close();
    },
    listen: () => listen(server, { bind, port: own, sharesPort }),
    drain: async (maxMs) => {
      const ended = new Promise<boolean>((resume) => server.close(() => resume(true)));
      for (const session of sessions) session.close();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resume) => {
        timer = setTimeout(() => resume(false), maxMs);
      });
      const isEnded = await Promise.race([ended, late]);
      clearTimeout(timer);
      for (const session of sessions) session.destroy();
      return isEnded;
    },
  };
}

const UNAUTHORIZED = 401;

function checkAlive(session: ServerHttp2Session): void {
  if (session.destroyed || session.closed) return;
  const timer = setTimeout(() => session.destroy(), KEEP_ALIVE_MS);
  const isSent = session.ping(() => clearTimeout(timer));
  if (!isSent) clearTimeout(timer);
}

async function listen(
  server: Http2Server,
  { bind, port, sharesPort }: Required<Pick<ServeOptions, "bind" | "port" | "sharesPort">>,
): Promise<void> {
  await new Promise<void>((resume, reject) => {
    server.once("error", reject);
    server.listen({ port, host: bind, reusePort: sharesPort }, () => {
      server.off("error", reject);
      resume();
    });
  });
}
