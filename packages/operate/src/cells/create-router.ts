/**
 * Passes requests on to the cell of their run, with everything that they say of who sends them.
 *
 * 1. It decides nothing but where. The cell decides who the caller is and what they may do.
 * 2. A name is started in one cell. If another cell may have started it before, that one is asked
 *    first, and nothing starts until it answers.
 * 3. The memory for a request is bounded, and so is the memory for all.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isPlainObject } from "@turnseal/protocol";
import type { Cell, Cells } from "./cells-file.ts";
import { findTarget, type Target } from "./find-target.ts";
import { createRoom, type HeldBytes } from "./hold-bytes.ts";
import { type ListAnswer, listCells } from "./list-cells.ts";
import { chooseByWeight, type Place, placeChat, placeKey, placeRun } from "./place.ts";
import { answerJson, answerRefusal, RouterError } from "./refusal.ts";
import { headersToSend, passAnswer, readUpTo, sendToCell } from "./send-to-cell.ts";
import type { CellState, CellWatch } from "./watch-cells.ts";

export interface RouterOptions {
  readonly cells: Cells;
  readonly watch: Pick<CellWatch, "stateOf" | "noteAway">;
}

export interface Router {
  /** Answers one request, and never rejects. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
}

/** As much as a server takes: what is longer it refuses anyway. */
export const BODY_BYTES_MAX = 1024 * 1024 + 16 * 1024;
/** Bodies that are read to know where they go, of all requests together. */
export const BODIES_BYTES_MAX = 128 * 1024 * 1024;
/** A page of a list of one cell. */
const PAGE_BYTES_MAX = 32 * 1024 * 1024;
/** Pages that are put together, of all requests together. */
export const PAGES_BYTES_MAX = 128 * 1024 * 1024;

export function createRouter({ cells, watch }: RouterOptions): Router {
  const holdBody = createRoom(BODIES_BYTES_MAX);
  const holdPages = createRoom(PAGES_BYTES_MAX);
  const isUp = (cell: Cell) => watch.stateOf(cell) === "up";

  const route = async (exchange: Exchange, body?: Buffer): Promise<IncomingMessage> => {
    const { target } = exchange;
    const place = findPlace(cells, target, body);
    for (;;) {
      const owner =
        place === undefined
          ? { cell: chooseAny(cells.all.filter(isUp), target) }
          : await findOwner(place, exchange, isUp, askPath(target, body));
      if ("said" in owner) return owner.said;
      const { cell } = owner;
      try {
        return await send(cell, exchange, body);
      } catch (error) {
        if (!isRefused(error)) throw error;
        // No byte was sent: a request without an owner goes to the next cell, and each is tried
        // once.
        watch.noteAway(cell);
        if (place !== undefined || hasStream(exchange, body)) throw error;
      }
    }
  };

  const answer = async (exchange: Exchange): Promise<void> => {
    const { incoming, outgoing, target } = exchange;
    if (target.kind === "health") return answerHealth(outgoing, cells, watch.stateOf);
    const isList = target.kind === "list";
    const held = isList ? holdPages() : holdBody();
    let response: IncomingMessage;
    try {
      if (isList) return await answerList(exchange, target.rows, { cells, isUp, held });
      const isRead = isNamedInside(target);
      response = await route(exchange, isRead ? await readBody(incoming, held) : undefined);
    } finally {
      held.release();
    }
    await passAnswer(response, outgoing);
  };

  return {
    answer: async (incoming, outgoing) => {
      const { method = "GET", url = "" } = incoming;
      const gone = new AbortController();
      outgoing.once("close", () => gone.abort());
      try {
        const path = readPath(url);
        const target = findTarget(method, path);
        await answer({ incoming, outgoing, path, target, signal: gone.signal });
      } catch (error) {
        // A begun answer can only be cut: its reader comes back.
        if (outgoing.headersSent) outgoing.destroy();
        else if (!incoming.complete) outgoing.shouldKeepAlive = false;
        if (!outgoing.headersSent)
          answerRefusal(outgoing, error instanceof RouterError ? error.code : "CELL_AWAY");
      }
    },
  };
}

/**
 * Reads the path and the query as servers do, and sends them in that form. In any other form, such
 * as `/v1/./runs`, a route would go to any cell, and that cell would take it.
 */
function readPath(url: string): string {
  const read = url.startsWith("/") ? URL.parse(`http://router${url}`) : null;
  if (read === null) throw new RouterError("ROUTE_UNKNOWN");
  return `${read.pathname}${read.search}`;
}

/** Reads a body that says where it goes. */
async function readBody(incoming: IncomingMessage, held: HeldBytes): Promise<Buffer> {
  const isLong = Number(incoming.headers["content-length"] ?? 0) > BODY_BYTES_MAX;
  const body = isLong ? undefined : await readUpTo(incoming, BODY_BYTES_MAX, held);
  if (body === undefined) throw new RouterError("BODY_TOO_LARGE");
  return body;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The path and the query. */
  readonly path: string;
  readonly target: Target;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

function isNamedInside({ kind }: Target): boolean {
  return kind === "start" || kind === "talk";
}

/** Undefined for what may go to any cell. */
function findPlace(cells: Cells, target: Target, body: Buffer | undefined): Place | undefined {
  if (target.kind === "run") return known(placeRun(cells, target.run));
  if (target.kind === "key") return placeKey(cells, target.key);
  if (target.kind === "chat") return placeChat(cells, target);
  const name = readName(target, body);
  if (name === undefined) return undefined;
  return target.kind === "talk"
    ? placeChat(cells, { agent: target.agent, id: name })
    : placeKey(cells, name);
}

/** An id of no cell: any of them says that there is no such run. */
function known(place: Place): Place | undefined {
  return place.last === undefined ? undefined : place;
}

/**
 * Reads the name of a start from its body, exactly as servers read it: a name that only the server
 * finds would be started in any cell. The cell refuses an invalid name.
 */
function readName({ kind }: Target, body: Buffer | undefined): string | undefined {
  if (body === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    const name = isPlainObject(value) ? value[kind === "talk" ? "id" : "key"] : undefined;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** The path that asks a cell whether it knows the run or the name. */
function askPath(target: Target, body: Buffer | undefined): string {
  const part = encodeURIComponent;
  const name = readName(target, body) ?? "";
  if (target.kind === "run") return `/v1/runs/${target.run}`;
  if (target.kind === "key") return `/v1/starts/${part(target.key)}`;
  if (target.kind === "chat") return `/v1/chats/${part(target.agent)}/${part(target.id)}`;
  if (target.kind === "talk") return `/v1/chats/${part(target.agent)}/${part(name)}`;
  return `/v1/starts/${part(name)}`;
}

/** The target of a request, or a cell's answer to its sender: then it goes nowhere. */
type Owner = { readonly cell: Cell } | { readonly said: IncomingMessage };

/** Refusals of the caller or the rate: they do not say what the cell knows. */
const REFUSED_TO_SAY: ReadonlySet<number> = new Set([401, 403, 429]);

async function findOwner(
  { ask, last }: Place,
  exchange: Exchange,
  isUp: (cell: Cell) => boolean,
  path: string,
): Promise<Owner> {
  for (const cell of ask) {
    if (!isUp(cell)) throw new RouterError("CELL_AWAY");
    const said = await askCell(cell, path, exchange);
    const { statusCode: status = 502 } = said;
    // Sent on, it could be taken a moment later, by a cell that has never known the name.
    if (REFUSED_TO_SAY.has(status)) return { said };
    said.resume();
    if (status >= 500) throw new RouterError("CELL_AWAY");
    if (status !== 404) return { cell };
  }
  if (last === undefined) throw new RouterError("NAME_HELD");
  if (!isUp(last)) throw new RouterError("CELL_AWAY");
  return { cell: last };
}

function askCell(
  cell: Cell,
  path: string,
  { incoming, signal }: Exchange,
): Promise<IncomingMessage> {
  const headers = withoutBody(headersToSend(incoming));
  return sendToCell(cell, { method: "GET", path, headers }, { signal });
}

/** The same caller asks, and sends nothing with it. */
function withoutBody(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = "", value = ""] = headers.slice(index, index + 2);
    if (!/^(content-|transfer-encoding$)/i.test(name)) kept.push(name, value);
  }
  return kept;
}

/** The port refuses connections. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}

/** True for a body that can be sent once only. */
function hasStream({ incoming: { headers } }: Exchange, body: Buffer | undefined): boolean {
  return body === undefined && ("content-length" in headers || "transfer-encoding" in headers);
}

function send(cell: Cell, exchange: Exchange, body: Buffer | undefined): Promise<IncomingMessage> {
  const { incoming, path, signal } = exchange;
  const { method = "GET" } = incoming;
  const sent = body ?? (hasStream(exchange, body) ? incoming : undefined);
  const request = { method, path, headers: headersToSend(incoming, body) };
  return sendToCell(
    cell,
    { ...request, ...(sent === undefined ? {} : { body: sent }) },
    { signal },
  );
}

/**
 * A start without a name goes by weight; a request that every cell answers alike goes to any that
 * is up.
 */
function chooseAny(up: readonly Cell[], { kind }: Target): Cell {
  const cell = kind === "start" ? chooseByWeight(up, Math.random()) : up[0];
  if (cell === undefined) throw new RouterError("CELL_AWAY");
  return cell;
}

interface ListParts {
  readonly cells: Cells;
  readonly isUp: (cell: Cell) => boolean;
  /** The pages that were read so far. */
  readonly held: HeldBytes;
}

async function answerList(
  { incoming, outgoing, path: asked, signal }: Exchange,
  rows: "runs" | "requests",
  { cells, isUp, held }: ListParts,
): Promise<void> {
  const at = asked.indexOf("?");
  const path = at < 0 ? asked : asked.slice(0, at);
  const headers = withoutBody(headersToSend(incoming));
  const ask = async (cell: Cell, query: URLSearchParams): Promise<ListAnswer | undefined> => {
    if (!isUp(cell)) return undefined;
    try {
      const request = { method: "GET", path: `${path}?${query}`, headers };
      const response = await sendToCell(cell, request, { signal });
      const bytes = await readUpTo(response, PAGE_BYTES_MAX, held);
      return bytes && { status: response.statusCode ?? 502, bytes };
    } catch (error) {
      if (error instanceof RouterError) throw error;
      return undefined;
    }
  };
  const query = new URLSearchParams(at < 0 ? "" : asked.slice(at));
  const list = await listCells({ rows, query, cells: cells.all, ask });
  if (list.kind === "page") return answerJson(outgoing, 200, list.page);
  outgoing.writeHead(list.answer.status, { "content-type": "application/json" });
  outgoing.end(list.answer.bytes);
}

function answerHealth(
  outgoing: ServerResponse,
  { all, digest }: Cells,
  stateOf: (cell: Cell) => CellState,
): void {
  const states = Object.fromEntries(all.map((cell) => [cell.name, stateOf(cell)]));
  answerJson(outgoing, 200, { status: "ok", digest, cells: states });
}
