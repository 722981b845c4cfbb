/**
 * Does what a person has said yes to, by the one writer of the run.
 *
 * 1. Nothing is taken from the plan that the record does not bear out: each file becomes what its
 *    way makes of it, and what was there before a merge is what the log names.
 * 2. A file is changed only where what the person was shown is still there. What has changed again
 *    is left, and said.
 * 3. What is done is found done: after a crash the same plan is applied again.
 */
import { type Content, holdBlobs, openRoot, type RecordedChanges } from "@turnseal/kernel";
import type { FileRoot, Stores } from "@turnseal/ports";
import {
  type FileState,
  isSameFile,
  type ManagedRef,
  mergeFiles,
  type ReconciledFile,
  type Reconciliation,
} from "@turnseal/protocol/artifact";
import { readChange } from "./last-changes.ts";
import { stateOf, withMode } from "./plan-reconciliation.ts";

export interface ApplyPlace {
  readonly run: string;
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly content: Content;
  readonly files: FileRoot;
  /** What is managed now. */
  readonly named: ManagedRef | undefined;
}

export type AppliedReconciliation =
  | {
      readonly kind: "applied";
      /** Files that are as they were to become, and those that had changed again. */
      readonly files: number;
      readonly left: number;
      readonly recorded: RecordedChanges | undefined;
    }
  | { readonly kind: "refused"; readonly why: string };

export async function applyReconciliation(
  plan: Reconciliation,
  place: ApplyPlace,
): Promise<AppliedReconciliation> {
  const { files: folder, named, content } = place;
  if (plan.managed !== named?.page.digest) return refuse("the record has changed since");
  const root = openRoot(plan.root, { files: folder, named, content });
  for (const file of plan.files) {
    const known = await root.find(file.path);
    if (known === undefined || !isSameFile(known, file.recorded)) return refuse(UNTRUE);
    if (!(await isByWay(plan, file, place))) return refuse(UNTRUE);
  }
  const changes = new Map<string, FileState | null>();
  for (const file of plan.files)
    if (await settleFile(file, place)) changes.set(file.path, file.becomes);
  if (changes.size === 0) return refuse("the files have changed again");
  await root.prepare(changes);
  const left = plan.files.length - changes.size;
  return { kind: "applied", files: changes.size, left, recorded: root.record(changes) };
}

const UNTRUE = "it is not what the record says";

function refuse(why: string): AppliedReconciliation {
  return { kind: "refused", why };
}

/** True where a file becomes what the way makes of it. */
async function isByWay(
  { way, root }: Reconciliation,
  file: ReconciledFile,
  place: ApplyPlace,
): Promise<boolean> {
  const { recorded, seen, becomes } = file;
  switch (way) {
    case "graph-wins":
      return isSameFile(becomes, recorded);
    case "files-win":
      return isSameFile(becomes, seen);
    case "manual":
      return isSameFile(becomes, recorded) || isSameFile(becomes, seen);
    case "merge":
      return isMerge(root, file, place);
  }
}

/** True where the result is that of merging what the log and the content of the run have. */
async function isMerge(
  root: string,
  { path, recorded, seen, becomes, changedBy = 0 }: ReconciledFile,
  { run, stores, content }: ApplyPlace,
): Promise<boolean> {
  const change = await readChange({ run, root, path }, changedBy, stores);
  if (change?.before === undefined || !isSameFile(change.after ?? null, recorded)) return false;
  if (seen === null || becomes === null) return false;
  const { read } = holdBlobs(stores.blobs);
  const ancestor = await read(run, change.before.digest);
  const ours = await read(run, recorded.digest);
  const theirs = await read(run, seen.digest);
  if (ancestor === undefined || ours === undefined || theirs === undefined) return false;
  const merge = mergeFiles({
    ancestor: withMode(ancestor, change.before.mode),
    recorded: withMode(ours, recorded.mode),
    seen: withMode(theirs, seen.mode),
  });
  if (merge.kind === "conflict") return false;
  return isSameFile(stateOf(content.sealBytes(merge.bytes), merge.mode), becomes);
}

/** True where the file is, in the end, what it was to become. */
async function settleFile(
  { path, seen, becomes }: ReconciledFile,
  { run, stores, files }: ApplyPlace,
): Promise<boolean> {
  const now = await stateAt(files, path);
  if (now === "unread") return false;
  if (now !== "no-file" && isSameFile(now, becomes)) return true;
  // A link or a folder in its place is no file, and stays.
  if (becomes === null) return now === "no-file";
  if (now === "no-file" || !isSameFile(now, seen)) return false;
  const { read } = holdBlobs(stores.blobs);
  // What is written over stays in the content of the run, or nothing is written.
  if (seen !== null && (await read(run, seen.digest)) === undefined) return false;
  const bytes = await read(run, becomes.digest);
  if (bytes === undefined) return false;
  const { mode } = becomes;
  const change = await files.write(path, withMode(bytes, mode), seen?.digest ?? "absent");
  return change.kind === "done";
}

/** What is at a path: a file, nothing (null), or something that is no file. */
async function stateAt(
  files: FileRoot,
  path: string,
): Promise<FileState | null | "no-file" | "unread"> {
  const read = await files.read(path);
  if (read.kind === "read") return read.state;
  switch (read.reason) {
    case "absent":
      return null;
    case "link":
    case "no-file":
      return "no-file";
    case "changing":
    case "denied":
    case "too-large":
      return "unread";
  }
}
