/**
 * Does what a person has said yes to, by the one writer of the run.
 *
 * 1. Nothing is taken from the plan that the record does not bear out: each file becomes what its
 *    way makes of it, and what was there before a merge is what the log names last.
 * 2. A file is changed only where what the person was shown is still there. What has changed again
 *    is left, and said; so is what the folder does not let be read or written.
 * 3. What is done is found done: after a crash the same plan is applied again.
 * 4. A word is meant once: where somebody has said another on these files since, it is refused.
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
import { hasLaterWord } from "./find-later-word.ts";
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
  /** What is managed now. */
  readonly named: ManagedRef | undefined;
}

export type AppliedReconciliation =
  | {
      readonly kind: "applied";
      /** Files that are as they were to become, and those that were left. */
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
  if (await hasLaterWord({ run, root: name, at, until }, stores)) return refuse(OUTDATED);
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

/** A file by itself is merged whatever its size is: a text has a limit of its own. */
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

/** The last changes of the files of a merge; nobody else needs them. */
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

/** True where a file becomes what the way makes of it, in every detail. */
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

/** True where the result is that of merging what the log and the content of the run have. */
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
