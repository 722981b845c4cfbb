// A property of these names can reach a prototype in some reader, ours or a tool's. No document may
// use them as a name.
const reserved: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * True for a name that no document may give to a field, a variable, a binding or a path segment.
 */
export function isReservedName(name: string): boolean {
  return reserved.has(name);
}

/** Names that a flow gives by itself somewhere, and that nothing in a flow may be called. */
export const FLOW_NAMES = [
  ...(["input", "steps", "item", "index", "last"] as const),
  ...(["round", "state", "states", "error", "result"] as const),
] as const;
