import { ClashError } from "./to-store-error.ts";

/** The most attempts of a statement whose key another takes at the same moment. */
export const CLASH_ATTEMPTS_MAX = 5;

/**
 * Asks again when another has stored the same row of one of these tables meanwhile: the statement
 * then sees that row.
 */
export async function retryClash<Value>(
  tables: readonly string[],
  ask: () => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isShared = error instanceof ClashError && tables.includes(error.table);
      if (!isShared || attempt >= CLASH_ATTEMPTS_MAX) throw error;
    }
  }
}
