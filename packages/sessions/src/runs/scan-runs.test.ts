import { memoryStores, RUNS_LIST_MAX, type RunSnapshot, systemClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import { LIST_LOOKS_MAX } from "../limits.ts";
import { scanRuns } from "./scan-runs.ts";

/** Stores with so many runs, which count their reads. */
function storesOf(count: number) {
  const ids = Array.from({ length: count }, (_, index) => `run ${String(index).padStart(6, "0")}`);
  let pages = 0;
  const list = async (after = ""): Promise<readonly RunSnapshot[]> => {
    pages += 1;
    const from = ids.findIndex((run) => run > after);
    return (from < 0 ? [] : ids.slice(from, from + RUNS_LIST_MAX)).map((run) => ({
      ...{ run, sequence: 1, state: {} },
    }));
  };
  const stores = memoryStores(systemClock);
  return { ids, stores: { ...stores, runs: { ...stores.runs, list } }, pages: () => pages };
}

const all = async ({ snapshot }: { snapshot: RunSnapshot }) => [snapshot.run];

test("every run is on one page, and on one alone", async () => {
  for (const count of [0, 1, 50, RUNS_LIST_MAX, RUNS_LIST_MAX + 1]) {
    const { ids, stores } = storesOf(count);
    const seen: string[] = [];
    let after: string | null = "";
    while (after !== null) {
      const page: { rows: readonly string[]; next: string | null } = await scanRuns(
        { stores },
        { after, limit: 50, pick: all },
      );
      expect(page.rows.length).toBeLessThanOrEqual(50);
      seen.push(...page.rows);
      after = page.next;
    }
    expect(seen).toEqual(ids);
  }
});

test("where nothing matches, one request looks at LIST_LOOKS_MAX runs and no more", async () => {
  const { ids, stores, pages } = storesOf(LIST_LOOKS_MAX + 500);
  const page = await scanRuns({ stores }, { limit: 1, pick: async () => [] });
  expect(page).toEqual({ rows: [], next: ids[LIST_LOOKS_MAX - 1] });
  expect(pages()).toBe(LIST_LOOKS_MAX / RUNS_LIST_MAX);
});
