/** The server on a port of this machine, by Node's own HTTP server. */
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type RequestListener,
} from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Server } from "./create-server.ts";

export interface ServeOptions {
  readonly port: number;
  /** The address to listen on: this machine alone, unless another is named. */
  readonly bind?: string;
}

export interface ServedHttp {
  readonly url: string;
  readonly port: number;
  /** Takes nothing more, ends every stream, and waits for what is under way. */
  close(): Promise<void>;
}

/** Bytes of all headers of a request. */
export const HEADER_BYTES_MAX = 16 * 1024;
/** How long a client may take to send its headers, and all of a request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How long a connection without a request is kept. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Connections of one process: streams, and what asks in between. */
const CONNECTIONS_MAX = 32_768;
/** How long requests that are under way have when it is closed. */
const CLOSE_MS_MAX = 5_000;
const SWEEP_MS = 20;

/**
 * The server as a handler of Node's own requests, for Express and other frameworks. Mount it before
 * anything that reads bodies.
 *
 * @example app.all("/v1/*path", nodeHandler(server))
 */
export function nodeHandler(server: Pick<Server, "fetch">): RequestListener {
  const answer = getRequestListener((request, env) => server.fetch(request, env), {
    overrideGlobalObjects: false,
  });
  return (incoming, outgoing) => void answer(incoming, outgoing);
}

/** Serves on a port: a server, or an app of your own that hands requests to one. */
export async function serve(
  server: Pick<Server, "fetch" | "close">,
  { port, bind = "127.0.0.1" }: ServeOptions,
): Promise<ServedHttp> {
  const http = createHttpServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    nodeHandler(server),
  );
  http.maxConnections = CONNECTIONS_MAX;
  const closeIdle = watchConnections(http);
  await listen(http, { port, bind });
  const address = http.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  const name = bind.includes(":") ? `[${bind}]` : bind;
  return {
    url: `http://${name}:${bound}`,
    port: bound,
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      const left = server.close();
      // A connection becomes idle when its answer has gone out, which may be a moment later.
      const sweep = setInterval(closeIdle, SWEEP_MS);
      const timer = setTimeout(() => http.closeAllConnections(), CLOSE_MS_MAX);
      await closed;
      clearInterval(sweep);
      clearTimeout(timer);
      // Unfinished work continues at the next start.
      await Promise.race([left, new Promise((late) => setTimeout(late, CLOSE_MS_MAX).unref())]);
    },
  };
}

/**
 * Closes idle connections. Node's own method skips connections that were opened and have not sent a
 * request yet.
 */
function watchConnections(http: HttpServer): () => void {
  const idle = new Set<Socket>();
  http.on("connection", (socket) => {
    idle.add(socket);
    socket.once("close", () => idle.delete(socket));
  });
  http.on("request", ({ socket }, response) => {
    idle.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
  return () => {
    for (const socket of idle) socket.destroy();
  };
}

async function listen(
  http: HttpServer,
  { port, bind }: { readonly port: number; readonly bind: string },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      const taken = `port ${port} is taken by another program: stop it, or take another port`;
      if (error.code === "EADDRINUSE") error.message = `${taken} (EADDRINUSE)`;
      reject(error);
    };
    http.once("error", refuse);
    http.listen(port, bind, () => {
      http.off("error", refuse);
      resolve();
    });
  });
}
