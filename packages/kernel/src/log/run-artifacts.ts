/**
 * The files outside that a run manages, while a turn runs.
 *
 * 1. Managed files are pages of the run's content, named by its events. Only the pages with files
 *    of the turn are read.
 * 2. A tool's changes become part of them in the tick that settles the tool, in the order of the
 *    log.
 */
import type { Blob, FileRoot, Roots } from "@turnseal/ports";
import type { ArtifactChanges, BlobRef, JsonObject } from "@turnseal/protocol";
import {
  changeManaged,
  countPages,
  type FileState,
  findManaged,
  loadManaged,
  type ManagedChange,
  type ManagedChanges,
  type ManagedPages,
  type ManagedRef,
  type ManagedRoots,
  openManaged,
} from "@turnseal/protocol/artifact";
import type { Content } from "./content.ts";

export interface RunArtifacts {
  /** The files under a root; undefined where this worker has not bound it. */
  open(root: string): RootArtifacts | undefined;
}

/** The digest of a file, or why it has none. */
export function digestOfRead(read: Awaited<ReturnType<FileRoot["read"]>>): string {
  return read.kind === "read" ? read.state.digest : read.reason;
}

export interface RootArtifacts {
  readonly files: FileRoot;
  /** The blob that the content of a file is kept as. */
  seal(bytes: Uint8Array): Blob;
  /** Returns the recorded state of a file. */
  find(path: string): Promise<FileState | undefined>;
  /** How many files are managed. */
  count(): Promise<number>;
  /** Reads what is needed to record changes, whenever that will be. */
  prepare(changes: ManagedChanges): Promise<void>;
  /**
   * Records prepared changes, with earlier states that differ from the recorded ones; undefined
   * without a change.
   */
  record(changes: ManagedChanges, was?: FilesBefore): RecordedChanges | undefined;
}

/** The states before a change, by path; `unknown` where an attempt broke off. */
export type FilesBefore = ReadonlyMap<string, FileState | "absent" | "unknown">;

export interface RecordedChanges {
  readonly facts: ArtifactChanges;
  readonly blobs: readonly Blob[];
}

export interface RunArtifactsSources {
  readonly roots: Roots | undefined;
  /** As they stand now. */
  readonly managed: ManagedRoots;
  readonly content: Content;
}

export function createRunArtifacts(sources: RunArtifactsSources): RunArtifacts {
  const opened = new Map<string, RootArtifacts>();
  return {
    open: (name) => {
      const known = opened.get(name);
      if (known !== undefined) return known;
      const { roots = {}, managed, content } = sources;
      const open = Object.hasOwn(roots, name) ? roots[name] : undefined;
      if (open === undefined) return undefined;
      const named = Object.hasOwn(managed, name) ? managed[name] : undefined;
      const root = openRoot(name, { files: content.openRoot(open), named, content });
      opened.set(name, root);
      return root;
    },
  };
}

interface OpenedRoot {
  readonly files: FileRoot;
  readonly named: ManagedRef | undefined;
  readonly content: Content;
}

/** The files of a root, and the pages of what is managed there that were needed so far. */
export function openRoot(name: string, { files, named, content }: OpenedRoot): RootArtifacts {
  let ref = named;
  let pages: ManagedPages | undefined;
  // Bounds for the number of files, for every order of the prepared changes.
  let [added, removed] = [0, 0];
  const read = (reference: BlobRef) => content.read(reference);
  // One after the other: what one has read is not lost to the next.
  let reading: Promise<unknown> = Promise.resolve();
  const load = (paths: Iterable<string> | "all"): Promise<ManagedPages> => {
    const next = reading.then(async () => {
      pages ??= await openManaged(ref, read);
      const asked = pages;
      const loaded = await loadManaged(asked, paths, read);
      // Changes recorded meanwhile had their pages already.
      if (pages === asked) pages = loaded;
      else pages = await loadManaged(pages, paths, read);
      return pages;
    });
    reading = next.catch(() => {});
    return next;
  };
  return {
    files,
    seal: (bytes) => content.sealBytes(bytes),
    find: async (path) => findManaged(await load([path]), path),
    count: async () => (await load([])).files,
    prepare: async (changes) => {
      const known = await load(changes.keys());
      for (const [path, after] of changes) {
        const isKnown = findManaged(known, path) !== undefined;
        if (after === null) removed += isKnown ? 1 : 0;
        else added += isKnown ? 0 : 1;
      }
      const start = named?.files ?? 0;
      if (countPages(start + added) !== countPages(Math.max(0, start - removed))) await load("all");
    },
    record: (changes, was = new Map()) => {
      if (pages === undefined) throw new RangeError("changes of artifacts were not prepared");
      const before = ref;
      const made = changeManaged(pages, changes, (page) => content.seal(page));
      const list = withRemoved(made.changes, changes, was);
      if (list.length === 0) return undefined;
      const listed = content.seal({ changes: list.map((change) => toJson(change, was)) });
      [pages, ref] = [made.managed, made.ref];
      return {
        facts: {
          root: name,
          ...(before === undefined ? {} : { before: before.page }),
          ...(ref === undefined ? {} : { after: ref.page }),
          files: made.managed.files,
          changes: nameBlob(listed),
          changed: list.length,
        },
        blobs: [...made.sealed, listed],
      };
    },
  };
}

/** A file that was removed and never managed is no change of what is, and was there. */
function withRemoved(
  made: readonly ManagedChange[],
  changes: ManagedChanges,
  was: FilesBefore,
): readonly ManagedChange[] {
  const known = new Set(made.map(({ path }) => path));
  const removed = [...was].filter(
    ([path, state]) => state !== "absent" && changes.get(path) === null && !known.has(path),
  );
  if (removed.length === 0) return made;
  return [...made, ...removed.map(([path]) => ({ path }))].sort((one, other) =>
    one.path < other.path ? -1 : 1,
  );
}

function toJson({ path, before, after }: ManagedChange, was: FilesBefore): JsonObject {
  const there = was.get(path);
  return {
    path,
    ...(there === undefined ? {} : { was: typeof there === "string" ? there : { ...there } }),
    ...(before === undefined ? {} : { before: { ...before } }),
    ...(after === undefined ? {} : { after: { ...after } }),
  };
}

function nameBlob({ digest, size, mediaType }: Blob): BlobRef {
  return { digest, size, mediaType };
}
