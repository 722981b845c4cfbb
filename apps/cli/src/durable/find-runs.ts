/** Runs in a database, found without reading all of them. */
import { readRun } from "@turnseal/host";
import { isUuid } from "@turnseal/protocol";
import type { KnownRun } from "../local/list-runs.ts";
import type { StoreFolder } from "../local/store-folder.ts";

const lowest = "00000000-0000-0000-0000-000000000000";

/** The runs whose id begins with a text: the first page of them. */
export async function listNamed(
  { stores }: Pick<StoreFolder, "stores">,
  prefix: string,
): Promise<KnownRun[]> {
  if (isUuid(prefix)) return readKnown(stores, [prefix]);
  const isPrefix = prefix !== "" && lowest.length > prefix.length && isUuidStart(prefix);
  if (!isPrefix) return [];
  // Ids are listed after one: after the lowest that begins so, which nobody is ever given.
  const page = await stores.runs.list(`${prefix}${lowest.slice(prefix.length)}`);
  const named = page.filter(({ run }) => run.startsWith(prefix));
  return readKnown(
    stores,
    named.map(({ run }) => run),
  );
}

function isUuidStart(prefix: string): boolean {
  return [...prefix].every((letter, at) =>
    lowest[at] === "-" ? letter === "-" : /[0-9a-f]/.test(letter),
  );
}

/** How many runs that ask for somebody one command reads. */
export const ASKING_READ_MAX = 1_000;

/** The runs that ask somebody for something, the newest first. */
export async function listAsking({
  stores,
  engine,
}: Pick<StoreFolder, "stores" | "engine">): Promise<KnownRun[]> {
  const runs = new Set<string>();
  for (let after: Asked | undefined; engine !== undefined; ) {
    const page: readonly Asked[] = await engine.lists.listWaiting(
      after === undefined ? {} : { after },
    );
    for (const { run } of page) runs.add(run);
    after = page.at(-1);
    if (after === undefined || runs.size >= ASKING_READ_MAX) break;
  }
  const known = await readKnown(stores, [...runs]);
  return known.sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1));
}

interface Asked {
  readonly run: string;
  readonly askedAt: string;
  readonly sequence: number;
}

async function readKnown(
  stores: StoreFolder["stores"],
  runs: readonly string[],
): Promise<KnownRun[]> {
  const known: KnownRun[] = [];
  for (const run of runs) {
    const projection = await readRun(stores, run);
    if (projection === undefined) continue;
    const { spec, startedAt } = projection;
    known.push({ run, loop: spec?.loop ?? "", startedAt: startedAt ?? "", projection });
  }
  return known;
}
