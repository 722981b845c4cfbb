/**
 * What a person says of files under a root: what counts where they are not what the run recorded,
 * or that the run is to manage them. The one writer of the run does it, where the root is bound.
 */
import type { Appender, EventDraft } from "@turnseal/kernel";
import type { FileRoot, InboxRow, Roots, Stores } from "@turnseal/ports";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { isAdoption, isReconciliation, isRootName } from "@turnseal/protocol/artifact";
import { adoptFiles } from "../drift/adopt-files.ts";
import { type ApplyPlace, applyReconciliation } from "../drift/apply-reconciliation.ts";
import { openBound } from "../drift/run-world.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { readContent } from "../read-content.ts";
import { actorOf, readIdentity, refused } from "./inbox-row.ts";

type FileRow = InboxRow & { readonly kind: "reconcile" | "adopt" };

export function isFileWord(row: InboxRow): row is FileRow {
  return row.kind === "reconcile" || row.kind === "adopt";
}

export interface FileWordTarget {
  readonly appender: Appender;
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly projection: () => RunProjection;
  readonly roots: Roots | undefined;
}

/** The event of such a word; undefined where the row waits for a worker that has the root. */
export async function draftFileWord(
  row: FileRow,
  target: FileWordTarget,
): Promise<EventDraft | undefined> {
  const { body } = row;
  const run = target.projection();
  if (run.spec === null || run.stopped !== null) return refused(row, "the run does not go on");
  const { root, difference, files: listed } = body;
  const isPersons = readIdentity(body).id !== "" && actorOf(body).kind === "person";
  if (!isRootName(root) || !isPersons) return refused(row, UNREADABLE);
  const { roots, stores, appender } = target;
  const files = await openBound(run.run, root, { stores, roots });
  if (files === "unbound" || files === "absent") return undefined;
  if (files === "erased") return refused(row, GONE);
  const shown = row.kind === "reconcile" ? difference : listed;
  const named = await readNamed(shown, run.run, stores);
  if (named === undefined) return refused(row, GONE);
  const place = placeOf(root, files, { ...target, run });
  await appender.flush();
  return row.kind === "reconcile"
    ? reconcile(row, { ...named, root }, place)
    : adopt(row, { ...named, root }, place);
}

const UNREADABLE = "it cannot be read";
const GONE = "what was shown is gone";

interface Named {
  readonly reference: { readonly digest: `hmac-sha256:${string}` };
  readonly value: JsonValue;
}

/** What the person was shown, held to its digest. */
async function readNamed(
  reference: JsonValue | undefined,
  run: string,
  stores: FileWordTarget["stores"],
): Promise<(Named & { readonly size: number; readonly mediaType: string }) | undefined> {
  if (!isPlainObject(reference)) return undefined;
  const { digest, size, mediaType } = reference;
  if (typeof digest !== "string" || !/^hmac-sha256:[0-9a-f]{64}$/.test(digest)) return undefined;
  if (typeof size !== "number" || mediaType !== "application/json") return undefined;
  const value = await readContent(stores, run, { digest: digest as Digest });
  return value === undefined
    ? undefined
    : { reference: { digest: digest as Digest }, value, size, mediaType };
}

type Digest = `hmac-sha256:${string}`;

function placeOf(
  root: string,
  files: FileRoot,
  {
    appender,
    stores,
    run,
  }: Pick<FileWordTarget, "appender" | "stores"> & {
    readonly run: RunProjection;
  },
): ApplyPlace {
  const managed = run.artifacts ?? {};
  const named = Object.hasOwn(managed, root) ? managed[root] : undefined;
  return { run: run.run, stores, content: appender.content, files, named };
}

interface Shown extends Named {
  readonly root: string;
  readonly size: number;
  readonly mediaType: string;
}

async function reconcile(row: FileRow, shown: Shown, place: ApplyPlace): Promise<EventDraft> {
  const { value, root } = shown;
  if (!isReconciliation(value) || value.root !== root) return refused(row, UNREADABLE);
  const applied = await applyReconciliation(value, place);
  if (applied.kind === "refused") return refused(row, applied.why);
  const { files, left, recorded } = applied;
  const { size, mediaType, reference } = shown;
  return {
    type: "drift.reconciled",
    actor: actorOf(row.body),
    content: {
      ...{ key: row.key, receivedAt: row.receivedAt, way: value.way, root },
      difference: { ...reference, size, mediaType },
      files,
      ...(left === 0 ? {} : { left }),
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
