/**
 * What stands now of the files of a run, as a digest that can be held against a checkpoint (spec/
 * rollback.md §5): made from the files themselves, and not from what anybody recorded of them.
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
import { artifactsOf } from "../drift/artifacts-of.ts";
import { openBound, type WorldPorts } from "../drift/run-world.ts";
import { readEvents } from "../projection/load-projection.ts";
import { readRun } from "../projection/read-run.ts";
import { readContent } from "../read-content.ts";
import type { Checkpoint } from "./checkpoints.ts";
import { beforeOf, type FileChanged, listFilesOf } from "./restore-files.ts";

interface StandingPorts extends Pick<WorldPorts, "roots"> {
  readonly stores: Stores;
}

/**
 * Of each root that the run has changed files of, the digest of the first page that it would have
 * if what stands now were what it manages: the same as `files` of a checkpoint that everything was
 * taken back to. A file that the run did not manage there counts unless it is what was there before
 * the run. A root is left out where no file counts, and is `unknown` where it cannot be read.
 */
export async function digestStanding(
  { run, sequence }: Pick<Checkpoint, "run" | "sequence">,
  ports: StandingPorts,
): Promise<Readonly<Record<string, string>>> {
  const { artifacts = {} } = (await readRun(ports.stores, run)) ?? {};
  const standing: Record<string, string> = {};
  const touched = await listTouched({ run, sequence }, ports.stores);
  for (const name of new Set([...Object.keys(artifacts), ...touched.keys()])) {
    const root = await openBound(run, name, ports);
    const own = touched.get(name) ?? new Map<string, FileChanged>();
    const digest =
      typeof root === "string"
        ? "unknown"
        : await digestRoot({ run, managed: artifacts[name], root, own }, ports.stores);
    if (digest !== undefined) standing[name] = digest;
  }
  return standing;
}

/** What the run did first to each file after a checkpoint, by root and path. */
async function listTouched(
  { run, sequence }: Pick<Checkpoint, "run" | "sequence">,
  stores: Stores,
): Promise<Map<string, Map<string, FileChanged>>> {
  const touched = new Map<string, Map<string, FileChanged>>();
  for await (const event of readEvents(stores.log, run, sequence + 1)) {
    const changes = artifactsOf(event);
    if (changes === undefined) continue;
    const own = touched.get(changes.root) ?? new Map<string, FileChanged>();
    touched.set(changes.root, own);
    for (const file of (await listFilesOf(run, changes, stores)) ?? [])
      if (!own.has(file.path)) own.set(file.path, file);
  }
  return touched;
}

interface Standing {
  readonly run: string;
  /** What the run manages at its end. */
  readonly managed: Parameters<typeof openManaged>[0];
  readonly root: FileRoot;
  readonly own: ReadonlyMap<string, FileChanged>;
}

async function digestRoot(
  { run, managed, root, own }: Standing,
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
