import { sha256Hex } from "./sha256.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True for a lower-case UUID of version 4, the form of every id that names an entity. */
export function isUuid(value: string): boolean {
  return uuidPattern.test(value);
}

/** A UUID that depends on `text` alone, with the version and variant bits of version 4 set. */
export function uuidFrom(text: string): string {
  const hex = sha256Hex(text);
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3] ?? "8";
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

const cellPattern = /^[0-9a-f]{3}$/;
const CELL_DIGITS = 3;

/** True for the name of a cell: the first three digits of its run ids. */
export function isCell(value: string): boolean {
  return cellPattern.test(value);
}

/** The cell that a run's id names, if its deployment has cells. */
export function cellOf(run: string): string {
  return run.slice(0, CELL_DIGITS);
}

/** The id with another cell in it: everything else of it stays. */
export function inCell(id: string, cell: string): string {
  return `${cell}${id.slice(CELL_DIGITS)}`;
}
