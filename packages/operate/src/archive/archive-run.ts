import type { ArchiveBook, NoteAnswer, RunPlaceInBook } from "@turnseal/adapters/postgres";
import { type CollectedRun, collectRun } from "@turnseal/host";
import type { Archive, BlobStore } from "@turnseal/ports";
import {
  type BundleContent,
  type Finding,
  type PublicKey,
  verifyBundle,
} from "@turnseal/protocol/receipts";
import { bundleNameOf, collectContent, renderBundle } from "@turnseal/runtime/folder";
import { isUnsealed } from "@turnseal/runtime/runs";
import { BUNDLE_BYTES_MAX } from "../proof/read-export.ts";

export interface ArchiveParts {
  readonly book: ArchiveBook;
  readonly archive: Archive;
  /** Keys that verify a bundle. It includes them, too. */
  readonly keys: readonly PublicKey[];
  readonly withContent: boolean;
  /** Bytes of the largest bundle that is written. */
  readonly bundleBytesMax?: number;
}

export type RunArchived =
  | { readonly kind: "archived"; readonly bytes: number }
  /** It goes on, or waits for a person. */
  | { readonly kind: "unfinished" }
  /** The run in the database is larger than a bundle that can be verified. */
  | { readonly kind: "too-large"; readonly why: string }
  /** The run in the database does not verify. */
  | { readonly kind: "refused"; readonly why: string };

/** How often a run is read that changes or is erased meanwhile. */
const LOOKS_MAX = 3;

/**
 * Archives one run: writes its bundle, verifies what is read back, and notes it. An archiver that
 * is killed leaves a bundle without a note: it is never read, and is written again.
 */
export async function archiveRun(
  { tenant, run }: RunPlaceInBook,
  parts: ArchiveParts,
): Promise<RunArchived> {
  const { book, archive, keys, withContent, bundleBytesMax = BUNDLE_BYTES_MAX } = parts;
  const why = `its bundle is larger than ${bundleBytesMax} bytes`;
  const stores = book.storesOf(tenant);
  // Before anything is read: who erases it from now on looks there, and who did has left nothing.
  await book.notePlace(tenant, archive.place);
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const collected = await collectRun(stores, run);
    if (collected.events.length === 0) return { kind: "unfinished" };
    const content = withContent
      ? await collectUpTo(bundleBytesMax, collected, stores.blobs)
      : undefined;
    if (content === "too-large") return { kind: "too-large", why };
    const bytes = new TextEncoder().encode(renderBundle(collected, keys, content));
    if (bytes.length > bundleBytesMax) return { kind: "too-large", why };
    // If another process has noted the run by now, this read may be incomplete.
    if ((await stores.listArchived([run])).length > 0) return { kind: "unfinished" };
    const hasContent = content !== undefined;
    const answer = await putNoted({ tenant, collected, bytes, hasContent }, parts);
    if (typeof answer === "object")
      return { kind: "refused", why: `${answer.code}: ${answer.message}` };
    if (answer === "archived") return { kind: "archived", bytes: bytes.length };
    if (answer === "unfinished" || answer === "noted") return { kind: "unfinished" };
  }
  return { kind: "unfinished" };
}

interface BundleToNote {
  readonly tenant: string;
  readonly collected: CollectedRun;
  readonly bytes: Uint8Array;
  readonly hasContent: boolean;
}

/** Puts a bundle and notes it; a refused bundle is removed. */
async function putNoted(bundle: BundleToNote, parts: ArchiveParts): Promise<NoteAnswer | Finding> {
  const { tenant, collected, bytes, hasContent } = bundle;
  const { book, archive, keys } = parts;
  const { run, events } = collected;
  const { sequence, hash } = events.at(-1) ?? { sequence: 0, hash: "" };
  const name = bundleNameOf(tenant, run);
  await book.proveHold();
  try {
    await archive.put(name, bytes);
    const wrong = await findWrong(await archive.get(name), keys);
    const note = { tenant, run, head: { sequence, hash }, hasContent, place: archive.place };
    const answer = wrong ?? (await book.note(note));
    if (answer !== "archived") await takeBack(bundle, parts, "refused");
    return answer;
  } catch (error) {
    // It is the first failure that says what happened.
    await takeBack(bundle, parts, "unanswered").catch(() => {});
    throw error;
  }
}

/**
 * Removes a bundle that was put, unless the run is noted. Without a note, a bundle is never found.
 * If no answer came, it stays all the same, since the note may still arrive. If the run is noted,
 * another process may have archived it meanwhile, and this is its bundle. If the content was erased
 * by then, the bundle is written again without it.
 */
async function takeBack(
  { tenant, collected, hasContent }: BundleToNote,
  { book, archive, keys }: ArchiveParts,
  why: "refused" | "unanswered",
): Promise<void> {
  const { run } = collected;
  const name = bundleNameOf(tenant, run);
  const noted = await book.readNoted({ tenant, run });
  if (noted === undefined) {
    if (why === "unanswered") return;
    // Another who archives by now may be about to note it.
    await book.proveHold();
    await archive.remove(name);
  } else if (hasContent && !noted.hasContent)
    await archive.put(name, new TextEncoder().encode(renderBundle(collected, keys)));
}

/** The content of a run. Of more than a bundle may have the rest is not read. */
async function collectUpTo(
  bytesMax: number,
  collected: CollectedRun,
  blobs: Pick<BlobStore, "read" | "readKey">,
): Promise<BundleContent | "too-large" | undefined> {
  let leftBytes = bytesMax;
  const content = await collectContent(collected, {
    readKey: blobs.readKey,
    read: async (run, digest) => {
      const bytes = leftBytes < 0 ? undefined : await blobs.read(run, digest);
      leftBytes -= bytes?.length ?? 0;
      return bytes;
    },
  });
  return leftBytes < 0 ? "too-large" : content;
}

/** A run that was ended before its first seal has nothing that could be wrong. */
async function findWrong(
  bytes: Uint8Array | undefined,
  keys: readonly PublicKey[],
): Promise<Finding | undefined> {
  const text = new TextDecoder().decode(bytes);
  const verdict = await verifyBundle(parse(text), { keys, production: false });
  return verdict.verdict === "invalid" && !isUnsealed(verdict) ? verdict.findings[0] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
