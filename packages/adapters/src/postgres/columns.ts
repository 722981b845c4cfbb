/** Reads columns of rows. A column that differs from the schema means that the store is damaged. */
import { StoreError } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { unpackText } from "../pack-text.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A whole number. The driver answers with text for what could be larger than a safe integer. */
export function readInteger(row: Row | undefined, column: string): number {
  const value = row?.[column];
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) throw corrupt(column);
  return number;
}

export function readText(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== "string") throw corrupt(column);
  return value;
}

export function readFlag(row: Row | undefined, column: string): boolean {
  const value = row?.[column];
  if (typeof value !== "boolean") throw corrupt(column);
  return value;
}

export function readBytes(row: Row | undefined, column: string): Uint8Array {
  const value = row?.[column];
  if (!(value instanceof Uint8Array)) throw corrupt(column);
  // Plain bytes, not the driver's kind of them.
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

export function readObject(row: Row | undefined, column: string): JsonObject {
  const value = row?.[column];
  if (typeof value !== "object" || value === null) throw corrupt(column);
  // The database holds the column to be JSON, and the driver has parsed it.
  return value as JsonObject;
}

/**
 * Reads a column that holds an object as a packed text; in a database before its migration, as
 * JSON: a deployment asks about runs before it migrates.
 */
export function readPacked(row: Row | undefined, column: string): JsonObject {
  if (!(row?.[column] instanceof Uint8Array)) return readObject(row, column);
  const bytes = readBytes(row, column);
  let value: unknown;
  try {
    value = JSON.parse(unpackText(bytes));
  } catch (error) {
    throw corrupt(column, error);
  }
  if (typeof value !== "object" || value === null) throw corrupt(column);
  return value as JsonObject;
}

/** A moment in ISO 8601. */
export function readMoment(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw corrupt(column);
  return value.toISOString();
}

function corrupt(column: string, cause?: unknown): StoreError {
  return new StoreError("STORE_CORRUPT", `the column ${column} cannot be read`, cause);
}
