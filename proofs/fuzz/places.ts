/** Where something can be broken: every field and item of a value, at any depth. */
import type { Random } from "./random.ts";

export type Container = Record<string, unknown> | unknown[];

export interface Place {
  readonly holder: Container;
  readonly key: string;
}

export function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/**
 * All places of a value, outermost first. What is reached twice, or cannot be read, counts once.
 */
export function listPlaces(root: unknown): Place[] {
  const places: Place[] = [];
  const open = new Set<unknown>([root]);
  for (const holder of open) {
    if (!isContainer(holder)) continue;
    for (const [key, value] of listEntries(holder)) {
      places.push({ holder, key });
      open.add(value);
    }
  }
  return places;
}

function listEntries(holder: Container): [string, unknown][] {
  try {
    return Object.entries(holder);
  } catch {
    return [];
  }
}

export function pickPlace(root: unknown, random: Random): Place | undefined {
  const places = listPlaces(root);
  return places.length === 0 ? undefined : random.pick(places);
}

export function readPlace({ holder, key }: Place): unknown {
  return (holder as Record<string, unknown>)[key];
}

/** Writes a field of any name as the holder's own, as JSON.parse does. */
export function writePlace({ holder, key }: Place, value: unknown): void {
  if (Array.isArray(holder) && key === "length") return;
  Object.defineProperty(holder, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

export function removePlace({ holder, key }: Place): void {
  if (!Array.isArray(holder)) {
    delete holder[key];
    return;
  }
  // A list that was broken before may have a `constructor` of its own, which `splice` would ask.
  const index = Number(key);
  if (!Number.isInteger(index)) Reflect.deleteProperty(holder, key);
  else holder.copyWithin(index, index + 1).length -= 1;
}
