/**
 * Fan-outs and their items by name: by the call whose flow they stand in, and their path there.
 *
 * A path may have as many items as it has room for. So the name of an item is short: each part of a
 * path has a number, which follows from the number of what stands before it.
 */
export interface ItemNames {
  /** The name of a fan-out. */
  nameFanOut(call: string, path: string): string;
  /** The name of an item of a fan-out. */
  nameItem(call: string, path: string, index: number): string;
  /** The items that a path of a flow stands in, the innermost last. */
  listItems(call: string, path: string): string[];
}

const ITEM = /\/(?:items|branches)\/([0-9]{1,9})(?=\/|$)/g;

export function createItemNames(): ItemNames {
  const numbers = new Map<string, number>();
  const numberOf = (before: number | string, part: string): number => {
    const name = JSON.stringify([before, part]);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const walk = (call: string, path: string): { fanOut: number; items: string[] } => {
    let [before, end] = [numberOf("call", call), 0];
    const items: string[] = [];
    for (const found of path.matchAll(ITEM)) {
      const fanOut = numberOf(before, path.slice(end, found.index));
      items.push(nameOf(fanOut, Number(found[1])));
      before = numberOf(fanOut, found[0]);
      end = found.index + found[0].length;
    }
    return { fanOut: numberOf(before, path.slice(end)), items };
  };
  const nameOf = (fanOut: number, index: number): string => `${fanOut} ${index}`;
  return {
    nameFanOut: (call, path) => String(walk(call, path).fanOut),
    nameItem: (call, path, index) => nameOf(walk(call, path).fanOut, index),
    listItems: (call, path) => walk(call, path).items,
  };
}
