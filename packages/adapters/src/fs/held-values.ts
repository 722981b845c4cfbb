/** A process's view of a folder of values, and its changes. */
import { promises } from "node:fs";
import { findStale, StoreError, type ValueCommit, type ValueRow } from "@turnseal/ports";
import { removeOldDrafts } from "../old-drafts.ts";
import {
  beginGeneration,
  findNewest,
  linkCommit,
  linkFirst,
  linkSeal,
  numberOf,
  prepareGeneration,
  readCommit,
  readFirst,
  readState,
  type StoredCommit,
  type ValueFolders,
} from "./value-generation.ts";

/** Bytes of all keys and values of a tenant: each process has them in memory. */
export const FOLDER_VALUES_BYTES_MAX = 64 * 1024 * 1024;
/** Commits after which the files of a generation are rewritten as one. */
export const GENERATION_COMMITS_MAX = 1_000;

/** How often a generation is looked for: each time but the last, another has taken its place. */
const LOADS_MAX = 100;

export function holdValues(folders: ValueFolders, commitsMax = GENERATION_COMMITS_MAX) {
  const held = holdRows();
  const at = { generation: "", number: 0, version: 0 };

  const load = async (): Promise<void> => {
    const { generation, state } = await loadNewest(folders);
    held.replace(state.rows);
    Object.assign(at, { generation, number: 0, version: state.version });
    await removeOldDrafts(folders.drafts);
  };

  const apply = (commit: StoredCommit): void => {
    at.number++;
    at.version++;
    if (!("next" in commit)) held.change(commit, at.version);
  };

  const catchUp = async (): Promise<void> => {
    if (at.generation === "") await load();
    for (;;) {
      const next = await readCommit(folders, at.generation, at.number + 1);
      if (next === "none") return;
      if (next !== "gone") {
        apply(next);
        if (!("next" in next)) continue;
        await beginGeneration(folders, next);
      }
      await load();
    }
  };

  /** The next commit is the seal: its own version is the first that the new generation has. */
  const seal = async (): Promise<void> => {
    const state = { version: at.version + 1, rows: [...held.rows.values()] };
    const prepared = await prepareGeneration(folders, numberOf(at.generation) + 1, state);
    if (prepared !== undefined) await linkSeal(folders, nextPlace(), prepared);
  };
  const nextPlace = () => ({ generation: at.generation, number: at.number + 1 });

  const commit = async (asked: ValueCommit) => {
    const { clear, changes } = asked;
    for (;;) {
      await catchUp();
      const stale = findStale(changes, (key) => held.rows.get(key)?.version);
      if (stale !== undefined) return stale;
      checkRoom({ rows: held.rows, bytes: held.bytes() }, asked);
      if (at.number >= commitsMax) {
        await seal();
        continue;
      }
      const made = { ...(clear === undefined ? {} : { clear }), changes };
      if (!(await linkCommit(folders, nextPlace(), made))) continue;
      apply(made);
      return { kind: "done", version: at.version } as const;
    }
  };
  return { rows: held.rows, catchUp, commit };
}

/** The rows, and how many bytes they have. */
function holdRows() {
  const rows = new Map<string, ValueRow>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= measure(key, rows.get(key)?.body ?? null);
    rows.delete(key);
  };
  const put = (row: ValueRow): void => {
    drop(row.key);
    rows.set(row.key, row);
    bytes += measure(row.key, row.body);
  };
  return {
    rows,
    bytes: () => bytes,
    replace: (all: readonly ValueRow[]): void => {
      for (const key of rows.keys()) drop(key);
      for (const row of all) put(row);
    },
    change: ({ clear, changes }: ValueCommit, version: number): void => {
      if (clear !== undefined) for (const key of rows.keys()) if (key.startsWith(clear)) drop(key);
      for (const { key, body } of changes) {
        if (body === null) drop(key);
        else put({ key, version, body });
      }
    },
  };
}

/** The newest generation with its first state; the first of all is made here. */
async function loadNewest(folders: ValueFolders) {
  for (let loads = 0; loads < LOADS_MAX; loads++) {
    const generation = await findNewest(folders);
    if (generation === undefined) {
      await beginFirst(folders);
      continue;
    }
    const state = await readState(folders, generation);
    if (state !== undefined) return { generation, state };
    // It has been moved away meanwhile, and there is another.
  }
  throw new StoreError(
    "STORE_CORRUPT",
    `${folders.generations} has a beginning and no values: put back what was taken out of it`,
  );
}

async function beginFirst(folders: ValueFolders): Promise<void> {
  for (const path of [folders.generations, folders.drafts])
    await promises.mkdir(path, { recursive: true, mode: 0o700 });
  if ((await readFirst(folders)) === undefined) {
    const prepared = await prepareGeneration(folders, 1, { version: 0, rows: [] });
    if (prepared !== undefined) await linkFirst(folders, prepared);
  }
  const first = await readFirst(folders);
  if (first !== undefined) await beginGeneration(folders, first);
}

/** The bytes of a row; none for null. */
function measure(key: string, body: string | null): number {
  return body === null ? 0 : key.length + Buffer.byteLength(body);
}

/** Refuses growth past the limit. A change that does not grow always fits. */
function checkRoom(
  held: { readonly rows: ReadonlyMap<string, ValueRow>; readonly bytes: number },
  { clear, changes }: ValueCommit,
): void {
  let growth = changes.reduce((sum, { key, body }) => sum + measure(key, body), 0);
  if (held.bytes + growth <= FOLDER_VALUES_BYTES_MAX) return;
  const changed = new Set(changes.map(({ key }) => key));
  for (const row of held.rows.values()) {
    const isCleared = clear !== undefined && row.key.startsWith(clear);
    if (isCleared || changed.has(row.key)) growth -= measure(row.key, row.body);
  }
  if (growth > 0 && held.bytes + growth > FOLDER_VALUES_BYTES_MAX)
    throw new StoreError(
      "STORE_FULL",
      `a tenant has ${FOLDER_VALUES_BYTES_MAX} bytes of values: delete some`,
    );
}
