import type { Loop } from "./loop.ts";

/**
 * The loops, then the loops that they use, each once. A listed loop replaces one of the same id and
 * version that another uses.
 */
export function withUsed(loops: readonly Loop<never, unknown>[]): Loop<never, unknown>[] {
  const all = [...loops];
  const known = new Set(all.map(nameOf));
  // The list grows while it is walked: what is brought may bring more.
  for (const { uses = [] } of all) {
    for (const used of uses) {
      const name = nameOf(used);
      if (known.has(name)) continue;
      known.add(name);
      all.push(used);
    }
  }
  return all;
}

// A version has no line break, so that no two pairs give one name.
function nameOf({ definition }: Loop<never, unknown>): string {
  return `${definition.version}\n${definition.id}`;
}
