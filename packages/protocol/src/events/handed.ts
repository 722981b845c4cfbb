/** Extra facts for a run that is handed to: a thread, or its place as an item of a fan-out. */
import type { ContentDigest } from "../log/blob-ref.ts";
import { hasOnly, type Is, isCount, isText } from "../shape.ts";
import { isContentDigest } from "./fields.ts";

/** An item of a fan-out that is a run of its own. */
export interface HandedItem {
  /** Of the fan-out. */
  readonly path: string;
  readonly index: number;
  readonly digest?: ContentDigest;
}

/** A thread as it was shown in the last request before a handoff. */
export interface GivenThread {
  /** A place in the definition, or a name. */
  readonly name: string;
  /** The digest of the whole of it. */
  readonly head: string;
  /** The event from which on its entries are recorded. */
  readonly since: number;
}

export const isGivenThread: Is<GivenThread> = hasOnly({
  name: isText,
  head: isText,
  since: isCount,
});
export const isHandedItem: Is<HandedItem> = hasOnly(
  { path: isText, index: isCount },
  { digest: isContentDigest },
);
