/** Runs in a database, found without reading all of them. */

import { type KnownRun, readKnown } from "@turnseal/host";
import { isUuid } from "@turnseal/protocol";
import type { StoreFolder } from "../store-folder.ts";

const lowest = "00000000-0000-0000-0000-000000000000";

/** The runs whose id begins with a text: the first page of them. */
export async function listNamed(
  { stores }: Pick<StoreFolder, "stores">,
  prefix: string,
): Promise<KnownRun[]> {
  if (isUuid(prefix)) return readKnown(stores, [prefix]);
  const isPrefix = prefix !== "" && lowest.length > prefix.length && isUuidStart(prefix);
  if (!isPrefix) return [];
  // Ids are listed after one: after the lowest with this prefix, which is never used.
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

/** The most runs with open requests that one command shows. */
export const ASKING_READ_MAX = 1_000;

export interface AskingRuns {
  /** The newest first. */
  readonly runs: readonly KnownRun[];
  /** The number of further requests, by other runs. */
  readonly more: number;
  /** Where there is more: the run after which it goes on. */
  readonly last?: string;
}

/**
 * Lists the runs with open requests to people: the oldest `ASKING_READ_MAX`, optionally after a
 * given run; or the runs that a name means, by the id of the run or of the request. Undefined if
 * the given run has no open request any more.
 */
export async function listAsking(
  { stores, engine }: Pick<StoreFolder, "stores" | "engine">,
  isMeant: (asked: Asked) => boolean = () => true,
  after?: string,
): Promise<AskingRuns | undefined> {
  const runs = new Set<string>();
  let [more, isBehind] = [0, after === undefined];
  for (let place: Asked | undefined; engine !== undefined; ) {
    const page: readonly Asked[] = await engine.lists.listWaiting(
      place === undefined ? {} : { after: place },
    );
    for (const asked of page) {
      const { run } = asked;
      if (run === after) isBehind = true;
      else if (!isBehind || !isMeant(asked) || runs.has(run)) continue;
      else if (runs.size < ASKING_READ_MAX) runs.add(run);
      else more += 1;
    }
    place = page.at(-1);
    if (place === undefined) break;
  }
  if (!isBehind) return undefined;
  const known = await readKnown(stores, [...runs]);
  const last = [...runs].at(-1);
  return {
    runs: known.sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1)),
    more,
    ...(more === 0 || last === undefined ? {} : { last }),
  };
}

interface Asked {
  readonly run: string;
  readonly id: string;
  readonly askedAt: string;
  readonly sequence: number;
}
