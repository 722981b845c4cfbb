/**
 * A person's answer about files under a root: which side wins where they have drifted, or that the
 * run adopts them. The one writer of the run does it, where the root is bound.
 */

import type { RunProjection } from "@turnseal/folds";
import { type Appender, type EventDraft, holdBlobs } from "@turnseal/kernel";
import type { FileRoot, InboxRow, Roots, Stores } from "@turnseal/ports";
import { type BlobRef, isLoopError, isPlainObject, type JsonValue } from "@turnseal/protocol";
import { isAdoption, isReconciliation, isRootName } from "@turnseal/protocol/artifact";
import { adoptFiles } from "../drift/adopt-files.ts";
import { type ApplyPlace, applyReconciliation } from "../drift/apply-reconciliation.ts";
import { openBound } from "../drift/drift-finder.ts";
import { NOT_KEPT } from "../drift/settle-file.ts";
import { actorOf, readIdentity, refused } from "./inbox-row.ts";

export type FileRow = InboxRow & { readonly kind: "reconcile" | "adopt" };

export function isFileAnswer(row: InboxRow): row is FileRow {
  return row.kind === "reconcile" || row.kind === "adopt";
}

export interface FileAnswerTarget {
  readonly appender: Appender;
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly projection: () => RunProjection;
  readonly roots: Roots | undefined;
}

/** The event of such a word; undefined if the row waits for a worker that has the root. */
export async function draftFileAnswer(
  row: FileRow,
  target: FileAnswerTarget,
): Promise<EventDraft | undefined> {
  const { body } = row;
  const run = target.projection();
  if (run.spec === null || run.stopped !== null) return refused(row, "the run does not go on");
  const { root, difference, files: listed } = body;
  if (!isRootName(root)) return refused(row, UNREADABLE);
  // Anyone with an identity may answer, as with a request that names no role; a run may not.
  if (readIdentity(body).id === "" || actorOf(body).kind !== "person")
    return refused(row, "identity-missing");
  const { roots, stores, appender } = target;
  const files = await openBound(run.run, root, { stores, roots });
  if (files === "unbound" || files === "absent") return undefined;
  if (files === "erased") return refused(row, GONE);
  const shown = row.kind === "reconcile" ? difference : listed;
  const named = await readNamed(shown, run.run, stores);
  if (typeof named === "string") return refused(row, named);
  await appender.flush();
  const place = placeOf(root, files, { ...target, run: target.projection() });
  try {
    return row.kind === "reconcile"
      ? await reconcile(row, { ...named, root }, place)
      : await adopt(row, { ...named, root }, place);
  } catch (error) {
    if (isLoopError(error) && LOST.has(error.code)) return refused(row, NOT_KEPT);
    throw error;
  }
}

/** The recorded files are erased, or were exchanged in the store. */
const LOST: ReadonlySet<string> = new Set(["LOG_CONTENT_CHANGED", "LOG_CONTENT_MISSING"]);

const UNREADABLE = "it cannot be read";
const GONE = "what was shown is gone";

interface Named {
  readonly reference: BlobRef;
  readonly value: JsonValue;
}

/**
 * The content that the person was shown, checked against its digest; or the reason why it is
 * unusable.
 */
async function readNamed(
  reference: JsonValue | undefined,
  run: string,
  { blobs }: FileAnswerTarget["stores"],
): Promise<Named | typeof GONE | typeof UNREADABLE> {
  const { digest } = isPlainObject(reference) ? reference : {};
  if (typeof digest !== "string" || !/^hmac-sha256:[0-9a-f]{64}$/.test(digest)) return GONE;
  const bytes = await holdBlobs(blobs).read(run, digest);
  if (bytes === undefined) return GONE;
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
    // The facts come from the bytes that were read, not from the row.
    const named = { digest: digest as BlobRef["digest"], size: bytes.length };
    return { reference: { ...named, mediaType: "application/json" }, value };
  } catch {
    // Other content of the run, such as a file, was never shown to a person.
    return UNREADABLE;
  }
}

function placeOf(
  root: string,
  files: FileRoot,
  {
    appender,
    stores,
    run,
  }: Pick<FileAnswerTarget, "appender" | "stores"> & {
    readonly run: RunProjection;
  },
): ApplyPlace {
  const managed = run.artifacts ?? {};
  const named = Object.hasOwn(managed, root) ? managed[root] : undefined;
  const { run: id, sequence } = run;
  return { run: id, sequence, stores, content: appender.content, files, named };
}

interface Shown extends Named {
  readonly root: string;
}

async function reconcile(row: FileRow, shown: Shown, place: ApplyPlace): Promise<EventDraft> {
  const { value, root } = shown;
  if (!isReconciliation(value) || value.root !== root) return refused(row, UNREADABLE);
  const applied = await applyReconciliation(value, place);
  if (applied.kind === "refused") return refused(row, applied.why);
  const { files, left, why, recorded } = applied;
  return {
    type: "drift.reconciled",
    actor: actorOf(row.body),
    content: {
      ...{ key: row.key, receivedAt: row.receivedAt, way: value.way, root },
      difference: shown.reference,
      files,
      ...(left === 0 ? {} : { left }),
      ...(why === undefined ? {} : { why }),
      ...(recorded === undefined ? {} : { artifacts: recorded.facts }),
    },
    ...(recorded === undefined ? {} : { blobs: recorded.blobs }),
  };
}

async function adopt(row: FileRow, { value, root }: Shown, place: ApplyPlace): Promise<EventDraft> {
  if (!isAdoption(value) || value.root !== root) return refused(row, UNREADABLE);
  const adopted = await adoptFiles(value, place);
  if (adopted.kind === "refused") return refused(row, adopted.why);
  const { facts: artifacts, blobs } = adopted.recorded;
  return {
    type: "artifact.adopted",
    actor: actorOf(row.body),
    content: { key: row.key, receivedAt: row.receivedAt, artifacts },
    blobs,
  };
}
