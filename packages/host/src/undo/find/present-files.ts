/**
 * The present files of a run as one digest, to compare with a checkpoint (spec/ rollback.md §5):
 * computed from the files themselves, not from any record of them.
 */
import { createContent } from "@turnseal/kernel";
import type { FileRoot, Stores } from "@turnseal/ports";
import type { BlobRef, JsonValue } from "@turnseal/protocol";
import {
  changeManaged,
  type FileState,
  isSameFile,
  listManaged,
  loadManaged,
  openManaged,
} from "@turnseal/protocol/artifact";
import { artifactsOf } from "../../drift/artifacts-of.ts";
import { type FinderPorts, openBound } from "../../drift/drift-finder.ts";
import { readEvents } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";
import { readRun } from "../../state/read-run.ts";
import { beforeOf, type ChangedFile, listChangedFiles } from "./changed-files.ts";
import type { Checkpoint } from "./checkpoints.ts";

interface PresentPorts extends Pick<FinderPorts, "roots"> {
  readonly stores: Stores;
}

/**
 * For each root with files that the run has changed, returns the digest of the first page of its
 * present files, as if the run managed them. After a full rollback it equals `files` of the
 * checkpoint. A file that the run did not manage there counts, unless it is the same as before the
 * run. A root is left out if no file counts, and is `unknown` if it cannot be read.
 */
export async function digestPresentFiles(
  { run, sequence }: Pick<Checkpoint, "run" | "sequence">,
  ports: PresentPorts,
): Promise<Readonly<Record<string, string>>> {
  const { artifacts = {} } = (await readRun(ports.stores, run)) ?? {};
  const present: Record<string, string> = {};
  const touched = await listTouched({ run, sequence }, ports.stores);
  for (const name of new Set([...Object.keys(artifacts), ...touched.keys()])) {
    const root = await openBound(run, name, ports);
    const own = touched.get(name) ?? new Map<string, ChangedFile>();
    const digest =
      typeof root === "string"
        ? "unknown"
        : await digestRoot({ run, managed: artifacts[name], root, own }, ports.stores);
    if (digest !== undefined) present[name] = digest;
  }
  return present;
}

/** The first change of each file after a checkpoint, by root and path. */
async function listTouched(
  { run, sequence }: Pick<Checkpoint, "run" | "sequence">,
  stores: Stores,
): Promise<Map<string, Map<string, ChangedFile>>> {
  const touched = new Map<string, Map<string, ChangedFile>>();
  for await (const event of readEvents(stores.log, run, sequence + 1)) {
    const changes = artifactsOf(event);
    if (changes === undefined) continue;
    const own = touched.get(changes.root) ?? new Map<string, ChangedFile>();
    touched.set(changes.root, own);
    for (const file of (await listChangedFiles(run, changes, stores)) ?? [])
      if (!own.has(file.path)) own.set(file.path, file);
  }
  return touched;
}

interface RootFiles {
  readonly run: string;
  /** The managed files of the run at its end. */
  readonly managed: Parameters<typeof openManaged>[0];
  readonly root: FileRoot;
  readonly own: ReadonlyMap<string, ChangedFile>;
}

async function digestRoot(
  { run, managed, root, own }: RootFiles,
  stores: Stores,
): Promise<string | undefined> {
  const key = await stores.blobs.readKey(run);
  if (key === undefined) return "unknown";
  const content = createContent(run, key, stores.blobs);
  const read = async (reference: BlobRef): Promise<JsonValue> =>
    (await readContent(stores, run, reference)) ?? { files: [], pages: [] };
  const pages = await loadManaged(await openManaged(managed, read), "all", read);
  const now = new Map<string, FileState | null>();
  for (const path of new Set([...listManaged(pages).map((file) => file.path), ...own.keys()])) {
    const there = await root.read(path);
    if (there.kind === "refused" && there.reason !== "absent") return "unknown";
    const state = there.kind === "read" ? there.state : null;
    const first = own.get(path);
    const isTheirs =
      first !== undefined && first.before === undefined && isBefore(state, beforeOf(first));
    now.set(path, isTheirs ? null : state);
  }
  return changeManaged(pages, now, (page) => content.seal(page)).ref?.page.digest;
}

function isBefore(state: FileState | null, before: FileState | null | undefined): boolean {
  return before !== undefined && isSameFile(state, before);
}
