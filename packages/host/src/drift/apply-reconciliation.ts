/**
 * Executes a plan that a person has approved, by the one writer of the run.
 *
 * 1. The plan must match the record. Each file becomes what the chosen way makes of it. The base of
 *    a merge is the last one in the log.
 * 2. A file is changed only if it is still as it was shown to the person. Files that have changed
 *    again are left and reported; so are files that the folder cannot read or write.
 * 3. Applying the same plan again after a crash finds the finished part done.
 * 4. An answer applies once: if there is a later one on these files, it is refused.
 */
import { type Content, holdBlobs, openRoot, type RecordedChanges } from "@turnseal/kernel";
import type { FileRoot, Stores } from "@turnseal/ports";
import {
  type FileState,
  isEqualFile,
  type ManagedRef,
  MERGED_BYTES_MAX,
  mergeFiles,
  type ReconciledFile,
  type Reconciliation,
} from "@turnseal/protocol/artifact";
import { stateOf, withMode } from "./file-parts.ts";
import { hasLaterAnswer } from "./has-later-answer.ts";
import { findLastChanges, type LastChange } from "./last-changes.ts";
import { measureMerge } from "./measure-merge.ts";
import { CHANGED_AGAIN, settleFile } from "./settle-file.ts";

export interface ApplyPlace {
  readonly run: string;
  /** Where the log stands. */
  readonly sequence: number;
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly content: Content;
  readonly files: FileRoot;
  /** The managed files now. */
  readonly named: ManagedRef | undefined;
}

export type AppliedReconciliation =
  | {
      readonly kind: "applied";
      /** Files that are as planned, and files that were left. */
      readonly files: number;
      readonly left: number;
      /** Why the first of those was left. */
      readonly why: string | undefined;
      readonly recorded: RecordedChanges | undefined;
    }
  | { readonly kind: "refused"; readonly why: string };

export async function applyReconciliation(
  plan: Reconciliation,
  place: ApplyPlace,
): Promise<AppliedReconciliation> {
  const { run, sequence: until, stores, files: folder, named, content } = place;
  const { root: name, at } = plan;
  if (plan.managed !== named?.page.digest) return refuse(OUTDATED);
  if (mergesTooMuch(plan)) return refuse(TOO_MUCH);
  if (await hasLaterAnswer({ run, root: name, at, until }, stores)) return refuse(OUTDATED);
  const root = openRoot(name, { files: folder, named, content });
  const last = await readLast(plan, place);
  for (const file of plan.files) {
    const known = await root.find(file.path);
    if (known === undefined || !isEqualFile(known, file.recorded)) return refuse(UNTRUE);
    if (!(await isByWay(plan, file, { ...place, last }))) return refuse(UNTRUE);
  }
  const changes = new Map<string, FileState | null>();
  const causes: string[] = [];
  for (const file of plan.files) {
    const end = await settleFile(file, place);
    if (end.kind === "settled") changes.set(file.path, end.state);
    else causes.push(end.why);
  }
  const [why] = causes;
  if (changes.size === 0) return refuse(why ?? CHANGED_AGAIN);
  await root.prepare(changes);
  const recorded = root.record(changes);
  return { kind: "applied", files: changes.size, left: causes.length, why, recorded };
}

export const OUTDATED = "the record has changed since";
const UNTRUE = "it is not what the record says";

const TOO_MUCH = "it merges more at once than a word may";

/** A single file is merged at any size: texts have a limit of their own. */
function mergesTooMuch({ way, files }: Reconciliation): boolean {
  if (way !== "merge" || files.length === 1) return false;
  const bytes = files.map(({ recorded, seen }) =>
    measureMerge({ before: recorded, after: seen ?? {} }),
  );
  return bytes.reduce((sum, each) => sum + each, 0) > MERGED_BYTES_MAX;
}

function refuse(why: string): AppliedReconciliation {
  return { kind: "refused", why };
}

/** The last changes of the files of a merge; only a merge needs them. */
async function readLast(
  { way, root, files }: Reconciliation,
  { run, sequence: until, stores }: ApplyPlace,
): Promise<ReadonlyMap<string, LastChange>> {
  if (way !== "merge") return new Map();
  const paths = files.map(({ path }) => path);
  return findLastChanges({ run, root, paths, until }, stores);
}

interface WayPlace extends ApplyPlace {
  readonly last: ReadonlyMap<string, LastChange>;
}

/** True if a file becomes what the way makes of it, in every detail. */
async function isByWay(
  { way }: Reconciliation,
  file: ReconciledFile,
  place: WayPlace,
): Promise<boolean> {
  const { recorded, seen, becomes, changedBy } = file;
  if (way === "merge") return isMerge(file, place);
  if (changedBy !== undefined) return false;
  switch (way) {
    case "graph-wins":
      return isEqualFile(becomes, recorded);
    case "files-win":
      return isEqualFile(becomes, seen);
    case "manual":
      return isEqualFile(becomes, recorded) || isEqualFile(becomes, seen);
  }
}

/** True if the result is that of merging what the log and the content of the run have. */
async function isMerge(
  { path, recorded, seen, becomes, changedBy }: ReconciledFile,
  { run, stores, content, last }: WayPlace,
): Promise<boolean> {
  const change = last.get(path);
  if (change?.before === undefined || change.sequence !== changedBy) return false;
  if (!isEqualFile(change.after ?? null, recorded)) return false;
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
  return isEqualFile(stateOf(content.sealBytes(merge.bytes), merge.mode), becomes);
}
