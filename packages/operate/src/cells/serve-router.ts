/** A router on a port of this machine. */
import { createServer, type Server } from "node:http";
import type { Cells } from "./cells-file.ts";
import { createRouter } from "./create-router.ts";
import { type CellState, type WatchOptions, watchCells } from "./watch-cells.ts";

export interface RouterPlace extends WatchOptions {
  readonly cells: Cells;
  readonly port: number;
  readonly bind?: string;
}

export interface ServedRouter {
  readonly url: string;
  /** How each cell was found, by name. */
  states(): Readonly<Record<string, CellState>>;
  /** Takes nothing more, and cuts what is still open after a moment. */
  close(): Promise<void>;
}

const HEADER_BYTES_MAX = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** Above that of the servers behind it, which say what is wrong with a body that does not come. */
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_MAX = 32_768;
const CLOSE_MS_MAX = 5_000;

export async function serveRouter(place: RouterPlace): Promise<ServedRouter> {
  const { cells, port, bind = "127.0.0.1" } = place;
  const watch = await watchCells(cells, place);
  const router = createRouter({ cells, watch });
  const http = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    (incoming, outgoing) => void router.answer(incoming, outgoing),
  );
  http.maxConnections = CONNECTIONS_MAX;
  try {
    await listen(http, { port, bind });
  } catch (error) {
    watch.close();
    throw error;
  }
  const address = http.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${bind.includes(":") ? `[${bind}]` : bind}:${bound}`,
    states: () => Object.fromEntries(cells.all.map((cell) => [cell.name, watch.stateOf(cell)])),
    close: async () => {
      watch.close();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeIdleConnections();
      const timer = setTimeout(() => http.closeAllConnections(), CLOSE_MS_MAX);
      await closed;
      clearTimeout(timer);
    },
  };
}

async function listen(
  http: Server,
  { port, bind }: { readonly port: number; readonly bind: string },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, bind, () => {
      http.off("error", reject);
      resolve();
    });
  });
}
