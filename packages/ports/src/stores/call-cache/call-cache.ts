/**
 * Which call gave what, so that an equal one can be answered with it: an index, and no content.
 *
 * Results of calls stay among the blobs of their run, under the run's key. So erasing the run
 * erases them here too, and leaves an entry without a target.
 */
import type { ContentDigest, KeptCall } from "@turnseal/protocol";

export interface CallCache {
  /**
   * The key under which the calls of this tenant are named: the stored one, or else the given one.
   * MUST be of this tenant alone. Other keys of the tenant are derived from this one.
   */
  keepKey(key: Uint8Array): Promise<Uint8Array>;

  /** The entry under a name. MUST NOT be one of another tenant, nor one whose time has come. */
  find(name: string, nowMs: number): Promise<CacheEntry | undefined>;

  /**
   * Keeps an entry, replacing the one under its name. After an erasure of its run it MUST keep
   * nothing. MAY forget others.
   */
  put(entry: CacheEntry, nowMs: number): Promise<void>;
}

export interface CacheEntry {
  /** The request, as 64 hexadecimal digits that reveal nothing without the tenant's key. */
  readonly name: string;
  /** The call that was answered. */
  readonly from: KeptCall;
  /** Its result: a blob of that run. */
  readonly digest: ContentDigest;
  /** From then on it is not used. */
  readonly expiresAtMs: number;
}
