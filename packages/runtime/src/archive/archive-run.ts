import type { ArchiveBook, RunPlaceInBook } from "@turnseal/adapters/postgres";
import { type CollectedRun, collectRun } from "@turnseal/host";
import type { Archive, BlobStore } from "@turnseal/ports";
import {
  type BundleContent,
  type Finding,
  type PublicKey,
  verifyBundle,
} from "@turnseal/protocol/receipts";
import { bundleNameOf } from "../folder/archived-stores.ts";
import { collectContent, renderBundle } from "../folder/bundle-run.ts";
import { BUNDLE_BYTES_MAX } from "../proof/read-export.ts";
import { isUnsealed } from "../proof/verify-family.ts";

export interface ArchiveParts {
  readonly book: ArchiveBook;
  readonly archive: Archive;
  /** Keys that a bundle is held to. It carries them, too. */
  readonly keys: readonly PublicKey[];
  readonly withContent: boolean;
  /** Bytes of the largest bundle that is written. */
  readonly bundleBytesMax?: number;
}

export type RunArchived =
  | { readonly kind: "archived"; readonly bytes: number }
  /** It goes on, or waits for somebody. */
  | { readonly kind: "unfinished" }
  /** What the database has of it does not verify, or is larger than what can be verified. */
  | { readonly kind: "refused"; readonly why: string };

/** How often a run is read that changes or is erased meanwhile. */
const LOOKS_MAX = 3;

/**
 * Archives one run: writes its bundle, verifies what is read back, and notes it. Whoever is killed
 * leaves a bundle that nobody reads, and that is written again.
 */
export async function archiveRun(
  { tenant, run }: RunPlaceInBook,
  { book, archive, keys, withContent, bundleBytesMax = BUNDLE_BYTES_MAX }: ArchiveParts,
): Promise<RunArchived> {
  const why = `its bundle is larger than ${bundleBytesMax} bytes`;
  const stores = book.storesOf(tenant);
  const name = bundleNameOf(tenant, run);
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const collected = await collectRun(stores, run);
    const last = collected.events.at(-1);
    if (last === undefined) return { kind: "unfinished" };
    const content = withContent
      ? await collectUpTo(bundleBytesMax, collected, stores.blobs)
      : undefined;
    if (content === "too-large") return { kind: "refused", why };
    const bytes = new TextEncoder().encode(renderBundle(collected, keys, content));
    if (bytes.length > bundleBytesMax) return { kind: "refused", why };
    // What was read before somebody else has noted the run may not be all of it.
    if ((await stores.listArchived([run])).length > 0) return { kind: "unfinished" };
    await archive.put(name, bytes);
    const wrong = await findWrong(await archive.get(name), keys);
    if (wrong !== undefined) {
      await archive.remove(name);
      return { kind: "refused", why: `${wrong.code}: ${wrong.message}` };
    }
    const { sequence, hash } = last;
    const hasContent = content !== undefined;
    const answer = await book.note({
      ...{ tenant, run, head: { sequence, hash }, hasContent, place: archive.place },
    });
    if (answer === "archived") return { kind: "archived", bytes: bytes.length };
    // What is not noted is found by nobody, and so is erased by nobody.
    await archive.remove(name);
    if (answer === "unfinished") return { kind: "unfinished" };
  }
  return { kind: "unfinished" };
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
