/**
 * The drift of the files that a run manages, in the folders that are bound here.
 *
 * It changes nothing, and says nothing about the run. A run with drifted files goes on, and its
 * tools find out file by file.
 */

import { type FileHint, type FileRoot, findDrift, type Roots, type Stores } from "@turnseal/ports";
import type { BlobRef, JsonValue } from "@turnseal/protocol";
import {
  type Drift,
  listManaged,
  loadManaged,
  type ManagedRef,
  type ManagedRoots,
  openManaged,
  type RecordedFile,
} from "@turnseal/protocol/artifact";
import { readContent } from "../state/read-content.ts";
import { countLines, type LineCount } from "./count-lines.ts";

/** The drift of one file, with its changed lines if both versions are text. */
export type FileDrift = Drift & { readonly lines?: LineCount };

/** The drift of the files under one root. */
export type RootDrift = { readonly root: string; readonly files: number } & (
  | {
      readonly kind: "looked";
      readonly drifts: readonly FileDrift[];
      /** Names that no artifact can have, in folders that were looked through. */
      readonly unnamed: number;
    }
  /** `unbound`: no folder is bound here. `erased`: what was recorded is gone. */
  | { readonly kind: "unknown"; readonly why: "unbound" | "absent" | "too-many" | "erased" }
);

/** True if something differs from the record, or is unknown. */
export function isDrifted(root: RootDrift): boolean {
  return root.kind === "unknown" || root.drifts.length > 0;
}

export interface DriftFinder {
  /**
   * Compares what is managed now with what is there, in the order of the names of roots. In folders
   * it also finds what is new, and what a file was renamed to.
   */
  find(managed: ManagedRoots, folders?: readonly string[]): Promise<readonly RootDrift[]>;
  /** Tells of what may have changed under roots that are bound, until what it answers is called. */
  watch(managed: ManagedRoots, listener: (hint: FileHint) => void): Promise<() => void>;
}

export interface FinderPorts {
  readonly stores: Pick<Stores, "blobs">;
  readonly roots: Roots | undefined;
}

/** The most files with counted lines; the others are only reported as changed. */
export const COUNTED_FILES_MAX = 100;

/** Roots stay open, so that a second search reads only the changed files. */
export function openDriftFinder(run: string, { stores, roots = {} }: FinderPorts): DriftFinder {
  const opened = new Map<string, FileRoot>();
  const open = async (name: string): Promise<FileRoot | "unbound" | "absent" | "erased"> => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const root = await openBound(run, name, { stores, roots });
    if (typeof root !== "string") opened.set(name, root);
    return root;
  };
  const findIn = async (
    name: string,
    named: ManagedRef,
    folders: readonly string[],
  ): Promise<RootDrift> => {
    const of = { root: name, files: named.files };
    const root = await open(name);
    if (typeof root === "string") return { ...of, kind: "unknown", why: root };
    const files = await listFiles(run, named, stores);
    if (files === undefined) return { ...of, kind: "unknown", why: "erased" };
    const answer = await findDrift(root, { files, folders });
    if (answer.kind === "refused") return { ...of, kind: "unknown", why: answer.reason };
    const { drifts, unnamed } = answer;
    return {
      ...of,
      kind: "looked",
      drifts: await countAll(drifts, { run, root, stores }),
      unnamed,
    };
  };
  return {
    find: async (managed, folders = []) => {
      const found: RootDrift[] = [];
      for (const [name, named] of Object.entries(managed).sort(byName))
        found.push(await findIn(name, named, folders));
      return found;
    },
    watch: async (managed, listener) => {
      const stops: (() => void)[] = [];
      for (const name of Object.keys(managed)) {
        const root = await open(name);
        if (typeof root !== "string") stops.push(await root.watch(listener));
      }
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Opens a root with the digests of a run, or says why that cannot be. */
export async function openBound(
  run: string,
  name: string,
  { stores, roots = {} }: FinderPorts,
): Promise<FileRoot | "unbound" | "absent" | "erased"> {
  const bind = Object.hasOwn(roots, name) ? roots[name] : undefined;
  if (bind === undefined) return "unbound";
  const key = await stores.blobs.readKey(run);
  if (key === undefined) return "erased";
  return openFolder(() => bind(key)) ?? "absent";
}

/** A folder that is gone cannot be opened. */
function openFolder(open: () => FileRoot): FileRoot | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** Every file that is managed; undefined if a page of them was erased. */
export async function listFiles(
  run: string,
  named: ManagedRef,
  stores: FinderPorts["stores"],
): Promise<readonly RecordedFile[] | undefined> {
  let isErased = false;
  const read = async (reference: BlobRef): Promise<JsonValue> => {
    const value = await readContent(stores, run, reference);
    isErased ||= value === undefined;
    return value ?? { files: [], pages: [] };
  };
  try {
    const pages = await loadManaged(await openManaged(named, read), "all", read);
    return isErased ? undefined : listManaged(pages);
  } catch (error) {
    if (isErased) return undefined;
    throw error;
  }
}

interface CountPlace {
  readonly run: string;
  readonly root: FileRoot;
  readonly stores: FinderPorts["stores"];
}

async function countAll(
  drifts: readonly Drift[],
  { run, root, stores }: CountPlace,
): Promise<readonly FileDrift[]> {
  const counted: FileDrift[] = [];
  let files = 0;
  for (const drift of drifts) {
    if (drift.kind !== "modified" || files === COUNTED_FILES_MAX) {
      counted.push(drift);
      continue;
    }
    files++;
    const before = await stores.blobs.read(run, drift.before.digest);
    const now = await root.read(drift.path);
    const lines = now.kind === "read" ? countLines(before, now.bytes) : undefined;
    counted.push(lines === undefined ? drift : { ...drift, lines });
  }
  return counted;
}
