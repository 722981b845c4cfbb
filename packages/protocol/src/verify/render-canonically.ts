import { canonicalize } from "../canonical-json.ts";

/** The canonical form, or undefined for what has none. */
export function renderCanonically(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}
