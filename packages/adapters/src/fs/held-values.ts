/** What a process knows of a folder of values, and how it changes it. */
import { promises } from "node:fs";
import { findStale, StoreError, type ValueCommit, type ValueRow } from "@turnseal/ports";
import {
  beginGeneration,
  findNewest,
  linkCommit,
  readCommit,
  readState,
  type StoredCommit,
  type ValueFolders,
} from "./value-generation.ts";

/** Bytes of all keys and values of a tenant: each process has them in memory. */
export const FOLDER_VALUES_BYTES_MAX = 64 * 1024 * 1024;
/** Commits after which the files of a generation are rewritten as one. */
export const GENERATION_COMMITS_MAX = 1_000;

export function holdValues(folders: ValueFolders) {
  const rows = new Map<string, ValueRow>();
  const at = { generation: 0, number: 0, version: 0, bytes: 0 };
  const put = (row: ValueRow): void => {
    drop(row.key);
    rows.set(row.key, row);
    at.bytes += sizeOf(row.key, row.body);
  };
  const drop = (key: string): void => {
    const known = rows.get(key);
    if (known !== undefined) at.bytes -= sizeOf(key, known.body);
    rows.delete(key);
  };

  const load = async (): Promise<void> => {
    const { generation, state } = await loadNewest(folders);
    rows.clear();
    Object.assign(at, { generation, number: 0, version: state.version, bytes: 0 });
    for (const row of state.rows) put(row);
  };

  const apply = (commit: StoredCommit): void => {
    at.number++;
    at.version++;
    if ("isSeal" in commit) return;
    const { clear, changes } = commit;
    if (clear !== undefined) for (const key of rows.keys()) if (key.startsWith(clear)) drop(key);
    for (const { key, body } of changes) {
      if (body === null) drop(key);
      else put({ key, version: at.version, body });
    }
  };

  const catchUp = async (): Promise<void> => {
    if (at.generation === 0) await load();
    for (;;) {
      const next = await readCommit(folders, at.generation, at.number + 1);
      if (next === "none") return;
      if (next === "gone") {
        await load();
        continue;
      }
      apply(next);
      if (!("isSeal" in next)) continue;
      const state = { version: at.version, rows: [...rows.values()] };
      await beginGeneration(folders, at.generation + 1, state);
      await load();
    }
  };

  const commit = async ({ clear, changes }: ValueCommit) => {
    for (;;) {
      await catchUp();
      const stale = findStale(changes, (key) => rows.get(key)?.version);
      if (stale !== undefined) return stale;
      checkRoom(at.bytes, changes);
      const isFull = at.number >= GENERATION_COMMITS_MAX;
      const made: StoredCommit = isFull
        ? { isSeal: true }
        : { ...(clear === undefined ? {} : { clear }), changes };
      const place = { generation: at.generation, number: at.number + 1 };
      if (!(await linkCommit(folders, place, made)) || isFull) continue;
      apply(made);
      return { kind: "done", version: at.version } as const;
    }
  };
  return { rows, catchUp, commit };
}

/** The newest generation with its first state; the first of all is made here. */
async function loadNewest(folders: ValueFolders) {
  for (;;) {
    const generation = await findNewest(folders);
    const state = generation && (await readState(folders, generation));
    if (generation !== undefined && state) return { generation, state };
    // It has been moved away meanwhile, and there is another.
    if (generation !== undefined) continue;
    for (const path of [folders.generations, folders.drafts])
      await promises.mkdir(path, { recursive: true, mode: 0o700 });
    await beginGeneration(folders, 1, { version: 0, rows: [] });
  }
}

function sizeOf(key: string, body: string): number {
  return key.length + Buffer.byteLength(body);
}

function checkRoom(known: number, changes: ValueCommit["changes"]): void {
  const more = changes.reduce((sum, { key, body }) => sum + sizeOf(key, body ?? ""), 0);
  if (known + more > FOLDER_VALUES_BYTES_MAX)
    throw new StoreError("STORE_FULL", `a tenant has ${FOLDER_VALUES_BYTES_MAX} bytes of values`);
}
