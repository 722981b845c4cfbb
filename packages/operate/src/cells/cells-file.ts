/**
 * Reads the cells of a router from a JSON file.
 *
 *     {
 *       "cells": [{ "name": "a", "tag": "00a", "url": "http://10.0.0.1:8787", "weight": 1 }],
 *       "names": [["a"]],
 *       "hold": false
 *     }
 *
 * 1. The id of a run names its place: the tag of its cell. A tag never moves to another cell.
 * 2. A name (the key of a start, a chat) has no id yet. `names` lists the cells that share the
 *    names now, after all earlier lists: a start under an older list is found there.
 */
import { createHash } from "node:crypto";
import { isCell, isPlainObject } from "@turnseal/protocol";

export interface Cell {
  readonly name: string;
  /**
   * The prefix of the ids of its runs. One cell may have none: for runs that are older than tags.
   */
  readonly tag: string | undefined;
  readonly url: URL;
  /** Its share of the starts without a key. */
  readonly weight: number;
}

export interface Cells {
  /** In the order of their tags, the one without last: so lists are in the order of ids. */
  readonly all: readonly Cell[];
  /** The owners of names over time, the newest last. */
  readonly names: readonly (readonly Cell[])[];
  /** True while names move: a name that moves waits with its first start. */
  readonly isHeld: boolean;
  /** Of the file: routers that tell the same one have the same cells. */
  readonly digest: string;
}

export type CellsReading =
  | { readonly kind: "read"; readonly cells: Cells }
  | { readonly kind: "unusable"; readonly message: string };

export const CELLS_MAX = 256;
export const NAME_LISTS_MAX = 32;
export const CELL_WEIGHT_MAX = 1_000;

const namePattern = /^[a-z0-9][a-z0-9-]{0,31}$/;

export function parseCells(text: string): CellsReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unusable("not JSON");
  }
  if (!isPlainObject(value)) return unusable("not an object");
  const stray = findStray(value, ["cells", "names", "hold"]);
  if (stray !== undefined) return unusable(`an unknown field ${stray}`);
  const { cells: rows, names: lists, hold = false } = value;
  if (typeof hold !== "boolean") return unusable("`hold` is true or false");
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > CELLS_MAX)
    return unusable(`\`cells\` is a list of 1 to ${CELLS_MAX}`);
  const all: Cell[] = [];
  for (const row of rows) {
    const cell = parseCell(row);
    if (typeof cell === "string") return unusable(cell);
    const twin = all.find((other) => isSame(cell, other));
    if (twin !== undefined)
      return unusable(`${twin.name} and ${cell.name} have a name, a tag or a url in common`);
    all.push(cell);
  }
  const names = parseNames(lists, all);
  if (typeof names === "string") return unusable(names);
  const digest = createHash("sha256").update(text).digest("hex");
  return { kind: "read", cells: { all: all.sort(byTag), names, isHeld: hold, digest } };
}

function parseCell(row: unknown): Cell | string {
  if (!isPlainObject(row)) return "a cell is an object with name, tag and url";
  const { name, tag, url, weight = 1 } = row;
  if (typeof name !== "string" || !namePattern.test(name))
    return "the name of a cell is 1 to 32 lower-case letters, digits and dashes";
  const stray = findStray(row, ["name", "tag", "url", "weight"]);
  if (stray !== undefined) return `${name} has an unknown field ${stray}`;
  if (tag !== undefined && (typeof tag !== "string" || !isCell(tag)))
    return `the tag of ${name} is not three hexadecimal digits, such as 00a`;
  const place = typeof url === "string" ? URL.parse(url) : null;
  if (place === null || !isPlace(place))
    return `the url of ${name} is not http://host:port or https://host:port`;
  if (typeof weight !== "number" || !Number.isInteger(weight) || !isWeight(weight))
    return `the weight of ${name} is not a whole number from 0 to ${CELL_WEIGHT_MAX}`;
  return { name, tag, url: place, weight };
}

function isPlace({ protocol, pathname, search, hash, username, password }: URL): boolean {
  const more = `${search}${hash}${username}${password}`;
  return (protocol === "http:" || protocol === "https:") && pathname === "/" && more === "";
}

function isWeight(weight: number): boolean {
  return weight >= 0 && weight <= CELL_WEIGHT_MAX;
}

/** Two without a tag are the same, too: the owner of an id would be unclear. */
function isSame(one: Cell, other: Cell): boolean {
  return one.name === other.name || one.tag === other.tag || one.url.href === other.url.href;
}

function parseNames(lists: unknown, all: readonly Cell[]): readonly (readonly Cell[])[] | string {
  const what = `\`names\` is a list of 1 to ${NAME_LISTS_MAX} lists of cells`;
  if (!Array.isArray(lists) || lists.length === 0 || lists.length > NAME_LISTS_MAX) return what;
  const read: Cell[][] = [];
  for (const list of lists) {
    if (!Array.isArray(list) || list.length === 0 || new Set(list).size < list.length) return what;
    const cells = list.map((name) => all.find((cell) => cell.name === name));
    const known = cells.filter((cell) => cell !== undefined);
    if (known.length < cells.length) return "`names` has a cell that is not among `cells`";
    read.push(known);
  }
  return read;
}

function byTag({ tag: one }: Cell, { tag: other }: Cell): number {
  return (one ?? "~") < (other ?? "~") ? -1 : 1;
}

function findStray(value: object, fields: readonly string[]): string | undefined {
  return Object.keys(value).find((field) => !fields.includes(field));
}

function unusable(message: string): CellsReading {
  return { kind: "unusable", message };
}
