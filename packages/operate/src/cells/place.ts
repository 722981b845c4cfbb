/** Finds the cell of a run, or of a name. */
import { createHash } from "node:crypto";
import { cellOf, isUuid } from "@turnseal/protocol";
import type { Cell, Cells } from "./cells-file.ts";

export interface Place {
  /** The cells that may know it, to be asked in this order. */
  readonly ask: readonly Cell[];
  /** The owner if none of them knows it; undefined without one. */
  readonly last: Cell | undefined;
}

/** The cell of its tag. A run that this cell does not know may be older than tags. */
export function placeRun({ all }: Pick<Cells, "all">, run: string): Place {
  const owner = all.find(({ tag }) => tag === cellOf(run));
  const before = all.find(({ tag }) => tag === undefined);
  if (owner === undefined || before === undefined) return { ask: [], last: owner ?? before };
  return { ask: [owner], last: before };
}

/**
 * The cell that owns a name now. If another cell owned it before, that one is asked first: it may
 * have started it, and a name is never started twice.
 */
export function placeName({ names, isHeld }: Pick<Cells, "names" | "isHeld">, name: string): Place {
  const owners = [...new Set(names.map((cells) => chooseByName(cells, name)))];
  const newest = chooseByName(names.at(-1) ?? [], name);
  const ask = owners.filter((cell) => cell !== undefined && cell !== newest) as Cell[];
  if (ask.length === 0 || newest === undefined) return { ask: [], last: newest };
  return isHeld ? { ask: [...ask, newest], last: undefined } : { ask, last: newest };
}

/** A chat is named by its page, or by the id of its run. */
export function placeChat(cells: Cells, { agent, id }: { agent: string; id: string }): Place {
  const named = placeName(cells, JSON.stringify(["chat", agent, id]));
  if (!isUuid(id)) return named;
  const { ask, last } = placeRun(cells, id);
  const owners = [...ask, ...(last === undefined ? [] : [last])];
  const asked = [...new Set([...owners, ...named.ask])].filter((cell) => cell !== named.last);
  return { ask: asked, last: named.last };
}

export function placeKey(cells: Cells, key: string): Place {
  return placeName(cells, JSON.stringify(["key", key]));
}

/** Rendezvous hashing: another cell takes some from each, and moves nothing between the others. */
function chooseByName(cells: readonly Cell[], name: string): Cell | undefined {
  let best: { readonly cell: Cell; readonly score: string } | undefined;
  for (const cell of cells) {
    const score = createHash("sha256").update(`${cell.name}\n${name}`).digest("hex");
    if (best === undefined || score > best.score) best = { cell, score };
  }
  return best?.cell;
}

/** A cell for a start that has no name, by weight. `at` is from 0 to below 1. */
export function chooseByWeight(cells: readonly Cell[], at: number): Cell | undefined {
  const sum = cells.reduce((total, { weight }) => total + weight, 0);
  let left = at * sum;
  for (const cell of cells) {
    left -= cell.weight;
    if (left < 0) return cell;
  }
  return undefined;
}
