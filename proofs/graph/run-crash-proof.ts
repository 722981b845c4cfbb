/** Transitions of plans under failures at every write, and under kills, in both databases. */
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { type FailedFigures, failWrites } from "./fail-writes.ts";
import { postgresFaults, sqliteFaults } from "./faults.ts";
import { type KilledFigures, killWriters } from "./kill-writers.ts";
import { makePlaces, openPostgres, type Places } from "./make-places.ts";

export interface CrashProof {
  /** Runs of each database that fails. */
  readonly runs: number;
  /** Of each run. */
  readonly appends: number;
  /** Processes that are killed, of each database. */
  readonly kills: number;
  readonly seed: number;
  readonly say: (words: string) => void;
}

export interface CrashFigures {
  readonly failed: Readonly<Record<CrashedStore, FailedFigures>>;
  readonly killed: Readonly<Record<CrashedStore, KilledFigures>>;
  readonly seconds: number;
}

export type CrashedStore = "sqlite" | "postgres";

export async function runCrashProof(request: CrashProof): Promise<CrashFigures> {
  const startedMs = performance.now();
  const failed = await withPlaces((places) => failBoth(places, request));
  // In places of their own: nothing there counts writes.
  const killed = await withPlaces((places) => killBoth(places, request));
  return { failed, killed, seconds: (performance.now() - startedMs) / 1_000 };
}

async function withPlaces<Value>(body: (places: Places) => Promise<Value>): Promise<Value> {
  const places = await makePlaces();
  try {
    return await body(places);
  } finally {
    await places.drop();
  }
}

async function failBoth({ file, url }: Places, { runs, appends, seed, say }: CrashProof) {
  const sqlite = sqliteStores({ file });
  const postgres = await openPostgres(url);
  const watching = await openPostgres(url);
  const inFile = await sqliteFaults(file);
  const inServer = await postgresFaults(url);
  const fail = async (name: CrashedStore): Promise<FailedFigures> => {
    const asked = { name, seed, runs, appends };
    const figures = await (name === "sqlite"
      ? failWrites(sqlite, inFile, { ...asked, watch: sqlite })
      : failWrites(postgres, inServer, { ...asked, watch: watching }));
    say(`${name}: ${figures.failures} writes failed`);
    return figures;
  };
  try {
    return { sqlite: await fail("sqlite"), postgres: await fail("postgres") };
  } finally {
    await inFile.close();
    await inServer.close();
    sqlite.close();
    await postgres.close();
    await watching.close();
  }
}

async function killBoth({ file, url }: Places, { kills, seed, say }: CrashProof) {
  const sqlite = sqliteStores({ file });
  const postgres = await openPostgres(url);
  const asked = { kills, seed, say };
  try {
    const [inFile, inServer] = await Promise.all([
      killWriters(sqlite, { ...asked, store: "sqlite", place: file }),
      killWriters(postgres, { ...asked, store: "postgres", place: url }),
    ]);
    return { sqlite: inFile, postgres: inServer };
  } finally {
    sqlite.close();
    await postgres.close();
  }
}

/** True when no append was torn, and the test was real: writes failed, and kills hit appends. */
export function isWhole({ failed, killed }: CrashFigures, { kills }: { kills: number }): boolean {
  const isTried = Object.values(failed).every(({ failures }) => failures > 0);
  const isKilled = Object.values(killed).every((each) => each.kills === kills && each.inHand > 0);
  return listTorn({ failed, killed }).length === 0 && isTried && isKilled;
}

export function listTorn({ failed, killed }: Pick<CrashFigures, "failed" | "killed">): string[] {
  return [...Object.values(failed), ...Object.values(killed)].flatMap(({ torn }) => torn);
}
