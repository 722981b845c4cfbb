/**
 * Which call gave what, so that an equal one can be answered with it: an index, and no content.
 *
 * What a call gave stays among the blobs of its run, under the run's key, so that whoever erases
 * the run erases it here too, and an entry that points nowhere is worth nothing.
 */
import type { ContentDigest, KeptCall } from "@turnseal/protocol";

export interface CallCache {
  /**
   * The key under which the calls of this tenant are named: the one given when there is none yet,
   * else the one that is there. MUST be of this tenant alone. Whoever needs a key of the tenant for
   * something else derives it from this one.
   */
  keepKey(key: Uint8Array): Promise<Uint8Array>;

  /** The entry under a name. MUST NOT be one of another tenant, nor one whose time has come. */
  find(name: string, nowMs: number): Promise<CacheEntry | undefined>;

  /**
   * Keeps an entry in place of the one under its name. After an erasure of its run it MUST keep
   * nothing. MAY forget others.
   */
  put(entry: CacheEntry, nowMs: number): Promise<void>;
}

export interface CacheEntry {
  /** What was asked, as 64 hexadecimal digits that say nothing without the tenant's key. */
  readonly name: string;
  /** The call that was answered. */
  readonly from: KeptCall;
  /** What it gave: a blob of that run. */
  readonly digest: ContentDigest;
  /** From then on it is not used. */
  readonly expiresAtMs: number;
}
