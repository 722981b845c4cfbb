/** Every no of the router itself, in the form of the server's. */
import type { ServerResponse } from "node:http";
import { LoopError } from "@turnseal/protocol";

export const ROUTER_ERROR_CODES = [
  "BODY_TOO_LARGE",
  "CELL_AWAY",
  "CELL_FAILED",
  "CURSOR_REFUSED",
  "NAME_HELD",
  "ROUTER_BUSY",
  "ROUTE_UNKNOWN",
] as const;
export type RouterErrorCode = (typeof ROUTER_ERROR_CODES)[number];

interface Words {
  readonly status: number;
  readonly message: string;
  readonly next?: string;
  readonly retryAfterS?: number;
}

const words: Readonly<Record<RouterErrorCode, Words>> = {
  BODY_TOO_LARGE: { status: 413, message: "the body is too large" },
  CELL_AWAY: {
    status: 503,
    message: "the cell of this run does not answer",
    next: "send it again later, with the same key: what was sent may have arrived",
    retryAfterS: 1,
  },
  CELL_FAILED: { status: 502, message: "a cell answered what is no list" },
  CURSOR_REFUSED: {
    status: 400,
    message: "the cursor was not given by this list",
    next: "leave the cursor out to begin with the first page",
  },
  NAME_HELD: {
    status: 503,
    message: "names are changing cells, and nothing was started under this one yet",
    retryAfterS: 2,
  },
  ROUTER_BUSY: { status: 503, message: "too much is on its way already", retryAfterS: 1 },
  ROUTE_UNKNOWN: { status: 404, message: "there is no such route" },
};

/** A no that is thrown to where requests are answered. */
export class RouterError extends LoopError<RouterErrorCode> {
  constructor(code: RouterErrorCode) {
    super({
      code,
      retry: words[code].retryAfterS === undefined ? "never" : "retry",
      message: words[code].message,
    });
  }
}

export function answerRefusal(outgoing: ServerResponse, code: RouterErrorCode): void {
  const { status, message, next, retryAfterS } = words[code];
  if (retryAfterS !== undefined) outgoing.setHeader("retry-after", String(retryAfterS));
  answerJson(outgoing, status, { error: { code, message, ...(next && { next }) } });
}

export function answerJson(outgoing: ServerResponse, status: number, value: object): void {
  const bytes = Buffer.from(JSON.stringify(value));
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "content-length": bytes.length,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  outgoing.end(bytes);
}
