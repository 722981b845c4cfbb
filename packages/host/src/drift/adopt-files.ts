/** Files that are there come under the management of a run, as they are. */
import { createContent, holdBlobs, openRoot, type RecordedChanges } from "@turnseal/kernel";
import type { Blob, FileRead } from "@turnseal/ports";
import {
  type Adoption,
  ARTIFACTS_MAX,
  type FileState,
  findPathFault,
  findTwins,
  isSameFile,
  listManaged,
  loadManaged,
  openManaged,
  RECONCILED_BYTES_MAX,
  RECONCILED_FILES_MAX,
} from "@turnseal/protocol/artifact";
import { type ApplyPlace, OUTDATED } from "./apply-reconciliation.ts";
import { openBound } from "./drift-finder.ts";
import { hasLaterAnswer } from "./has-later-answer.ts";
import type { ReconciledRun, ReconcilePorts } from "./plan-reconciliation.ts";
import { CHANGED_AGAIN, causeOf, NOT_KEPT } from "./settle-file.ts";

export interface AdoptionRequest {
  readonly root: string;
  readonly paths: readonly string[];
}

export interface AdoptionProblem {
  readonly path: string;
  readonly why:
    | "path"
    | "absent"
    | "link"
    | "no-file"
    | "too-large"
    | "unread"
    | "managed"
    | "twin";
}

export type AdoptionPlan =
  | { readonly kind: "planned"; readonly plan: Adoption; readonly blobs: readonly Blob[] }
  | { readonly kind: "refused"; readonly problems: readonly AdoptionProblem[] }
  /** `many`: more files or bytes than one adoption takes. */
  | { readonly kind: "unknown"; readonly why: "unbound" | "absent" | "erased" | "many" };

/** Reads the files that a run is to manage. It changes nothing. */
export async function planAdoption(
  { run, sequence, artifacts = {} }: ReconciledRun,
  { root, paths }: AdoptionRequest,
  ports: ReconcilePorts,
): Promise<AdoptionPlan> {
  const { stores } = ports;
  const asked = [...new Set(paths)].sort();
  if (asked.length > RECONCILED_FILES_MAX) return { kind: "unknown", why: "many" };
  const files = await openBound(run, root, ports);
  if (typeof files === "string") return { kind: "unknown", why: files };
  const key = await stores.blobs.readKey(run);
  if (key === undefined) return { kind: "unknown", why: "erased" };
  const content = createContent(run, key, stores.blobs);
  const named = Object.hasOwn(artifacts, root) ? artifacts[root] : undefined;
  const pages = await loadManaged(await openManaged(named, content.read), "all", content.read);
  const known = listManaged(pages);
  const managed = new Set(known.map(({ path }) => path));
  const problems: AdoptionProblem[] = [];
  const blobs: Blob[] = [];
  const found: Adoption["files"][number][] = [];
  let bytes = 0;
  for (const path of asked) {
    const why = findPathFault(path) === undefined ? undefined : "path";
    if (why !== undefined || managed.has(path)) {
      problems.push({ path, why: why ?? "managed" });
      continue;
    }
    const read = await files.read(path);
    if (read.kind === "refused") {
      const isUnread = read.reason === "denied" || read.reason === "changing";
      problems.push({ path, why: isUnread ? "unread" : read.reason });
      continue;
    }
    bytes += read.bytes.length;
    if (bytes > RECONCILED_BYTES_MAX) return { kind: "unknown", why: "many" };
    blobs.push(content.sealBytes(read.bytes));
    found.push({ path, ...read.state });
  }
  problems.push(...listTwins(known, found).map((path) => ({ path, why: "twin" as const })));
  if (problems.length > 0) return { kind: "refused", problems };
  return { kind: "planned", plan: { root, at: sequence, files: found }, blobs };
}

interface Named {
  readonly path: string;
}

/** New files that would be one with another where case does not count. */
function listTwins(known: readonly Named[], found: readonly Named[]): readonly string[] {
  const added = new Set(found.map(({ path }) => path));
  const all = [...known, ...found].map(({ path }) => path);
  return findTwins(all).flatMap((twins) => twins.filter((path) => added.has(path)).slice(0, 1));
}

export type AdoptedFiles =
  | { readonly kind: "adopted"; readonly recorded: RecordedChanges }
  | { readonly kind: "refused"; readonly why: string };

/** Records files that are still what the person was shown: all of them, or none. */
export async function adoptFiles(
  { root: name, at, files }: Adoption,
  place: ApplyPlace,
): Promise<AdoptedFiles> {
  const { run, sequence: until, stores, content, files: folder, named } = place;
  if (await hasLaterAnswer({ run, root: name, at, until }, stores)) return refuse(OUTDATED);
  const root = openRoot(name, { files: folder, named, content });
  if ((await root.count()) + files.length > ARTIFACTS_MAX)
    return refuse("a run manages no more files");
  const pages = await loadManaged(await openManaged(named, content.read), "all", content.read);
  if (listTwins(listManaged(pages), files).length > 0)
    return refuse("one of the files is the same as another where case does not count");
  const changes = new Map<string, FileState>();
  for (const { path, ...state } of files) {
    if ((await root.find(path)) !== undefined)
      return refuse("the run manages one of the files already");
    const there = await readThere(path, state, place);
    if (typeof there === "string") return refuse(there);
    // Records the file as it was read, which may differ from the plan.
    changes.set(path, there);
  }
  await root.prepare(changes);
  const recorded = root.record(changes);
  if (recorded === undefined) return refuse("there is nothing to manage");
  return { kind: "adopted", recorded };
}

function refuse(why: string): AdoptedFiles {
  return { kind: "refused", why };
}

/** The file as it is, where it is what was shown and its content is kept; or why it is not. */
async function readThere(
  path: string,
  shown: FileState,
  { run, stores, files }: ApplyPlace,
): Promise<FileState | string> {
  let there: FileRead;
  try {
    there = await files.read(path);
  } catch (error) {
    return `a file cannot be read: ${causeOf(error)}`;
  }
  if (there.kind !== "read" || !isSameFile(there.state, shown)) return CHANGED_AGAIN;
  const kept = await holdBlobs(stores.blobs).read(run, shown.digest);
  return kept === undefined ? NOT_KEPT : there.state;
}
