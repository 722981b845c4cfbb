/** The newest runs of a database, found without reading what any of them did. */
import type { StartedRun } from "@turnseal/adapters/postgres";
import type { EngineSide } from "./engine-side.ts";

export interface NewestRuns {
  /** The newest first. */
  readonly newest: readonly StartedRun[];
  /** How many there are in all. */
  readonly count: number;
}

/** The newest `limit` of the runs that `isWanted`. Ids are random, so that all are looked at. */
export async function listNewest(
  { lists }: Pick<EngineSide, "lists">,
  limit: number,
  isWanted: (run: StartedRun) => boolean = () => true,
): Promise<NewestRuns> {
  let newest: StartedRun[] = [];
  let count = 0;
  for (let page = await lists.listStarted(); page.length > 0; ) {
    const wanted = page.filter(isWanted);
    count += wanted.length;
    newest = [...newest, ...wanted].sort(byStart).slice(0, limit);
    page = await lists.listStarted(page.at(-1)?.run);
  }
  return { newest, count };
}

function byStart(one: StartedRun, other: StartedRun): number {
  if (one.startedAt === other.startedAt) return one.run < other.run ? -1 : 1;
  return one.startedAt > other.startedAt ? -1 : 1;
}
