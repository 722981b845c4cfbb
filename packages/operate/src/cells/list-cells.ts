/**
 * A list over all cells: one after the other, in the order of their tags, which is that of the ids.
 * A cell that does not answer is left out, and named.
 */
import { isPlainObject } from "@turnseal/protocol";
import type { Cell } from "./cells-file.ts";
import { RouterError } from "./refusal.ts";

export interface ListAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

export interface ListWish {
  /** The field with the rows. */
  readonly rows: "runs" | "requests";
  /** The query of the client, unchanged. */
  readonly query: URLSearchParams;
  readonly cells: readonly Cell[];
  /** Undefined if the cell does not answer. */
  ask(cell: Cell, query: URLSearchParams): Promise<ListAnswer | undefined>;
}

export type CellList =
  | { readonly kind: "page"; readonly page: object }
  /** The answer of a cell to the request itself, such as a refusal of the caller. */
  | { readonly kind: "said"; readonly answer: ListAnswer };

/** As the server has it, where the client does not say. */
const ROWS_DEFAULT = 50;

export async function listCells({ rows: field, query, cells, ask }: ListWish): Promise<CellList> {
  const wanted = Number(query.get("limit") ?? ROWS_DEFAULT);
  const place = openCursor(query.get("after"), cells);
  const rows: unknown[] = [];
  const missing: string[] = [];
  let { index, after } = place;
  for (; index < cells.length; index++, after = undefined) {
    const cell = cells[index] as Cell;
    const answer = await ask(cell, queryFor(query, { after, limit: wanted - rows.length }));
    if (answer === undefined || answer.status >= 500) {
      missing.push(cell.name);
      continue;
    }
    if (answer.status !== 200) return { kind: "said", answer };
    const page = readPage(answer.bytes, field);
    rows.push(...page.rows);
    if (page.next !== null)
      return { kind: "page", page: { [field]: rows, next: seal(cell, page.next), missing } };
    if (rows.length >= wanted) break;
  }
  const following = cells[index + 1];
  const next = following === undefined ? null : seal(following, undefined);
  return { kind: "page", page: { [field]: rows, next, missing } };
}

/** The query for the rest of the page. The cell refuses an invalid limit. */
function queryFor(
  query: URLSearchParams,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): URLSearchParams {
  const asked = new URLSearchParams(query);
  asked.delete("after");
  if (after !== undefined) asked.set("after", after);
  if (Number.isInteger(limit) && limit > 0) asked.set("limit", String(limit));
  return asked;
}

function readPage(bytes: Buffer, field: string) {
  const value = parseJson(bytes);
  const rows = isPlainObject(value) ? value[field] : undefined;
  const next = isPlainObject(value) ? value["next"] : undefined;
  if (Array.isArray(rows) && (next === null || typeof next === "string"))
    return { rows: rows as unknown[], next };
  throw new RouterError("CELL_FAILED");
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** In which cell the list goes on, and where there: the cell's own words, which only it reads. */
function seal({ name }: Cell, after: string | undefined): string {
  return Buffer.from(JSON.stringify([name, after ?? null])).toString("base64url");
}

function openCursor(cursor: string | null, cells: readonly Cell[]) {
  if (cursor === null) return { index: 0, after: undefined };
  const value = parseJson(Buffer.from(cursor, "base64url"));
  const [name, after]: unknown[] = Array.isArray(value) ? value : [];
  const index = cells.findIndex((cell) => cell.name === name);
  if (index < 0 || (after !== null && typeof after !== "string"))
    throw new RouterError("CURSOR_REFUSED");
  return { index, after: after ?? undefined };
}
