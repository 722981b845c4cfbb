/** Reads columns of rows. A column that differs from the schema means that the file is damaged. */
import type { SQLOutputValue } from "node:sqlite";
import { StoreError } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";

export type Row = Readonly<Record<string, SQLOutputValue>>;

export function readInteger(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw corrupt(column);
  return value;
}

export function readText(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw corrupt(column);
  return value;
}

export function readBytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw corrupt(column);
  return value;
}

/** Reads a column that holds an object as JSON. */
export function readObject(row: Row, column: string): JsonObject {
  const text = readText(row, column);
  return parseObject(column, () => text);
}

function parseObject(column: string, readJson: () => string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(readJson());
  } catch (error) {
    throw corrupt(column, error);
  }
  if (typeof value !== "object" || value === null) throw corrupt(column);
  return value as JsonObject;
}

function corrupt(column: string, cause?: unknown): StoreError {
  return new StoreError("STORE_CORRUPT", `the column ${column} cannot be read`, cause);
}
