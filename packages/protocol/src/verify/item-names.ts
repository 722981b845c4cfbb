/** Fan-outs and their items by name: by the call whose flow they stand in, and their path there. */

export function nameFanOut(call: string, path: string): string {
  return JSON.stringify([call, path]);
}

export function nameItem(call: string, path: string, index: number): string {
  return JSON.stringify([call, path, index]);
}

const ITEM = /\/(?:items|branches)\/([0-9]{1,9})(?=\/|$)/g;

/** The items that a path of a flow stands in, the innermost last. */
export function listItems(call: string, path: string): string[] {
  return [...path.matchAll(ITEM)].map((found) =>
    nameItem(call, path.slice(0, found.index), Number(found[1])),
  );
}
