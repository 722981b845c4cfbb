/**
 * Values that the database stores in a narrower form than the ports: ids of runs, digests, keys.
 */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for an id as the database keeps it: any other text names no run. */
export function isRunId(run: string): boolean {
  return uuid.test(run);
}

export function checkRunId(run: string): void {
  if (!isRunId(run)) throw new RangeError("the id of a run is a UUID in lower case");
}

/** Packs a digest without its common prefix; undefined for an invalid one. */
export function packDigest(digest: string): Buffer | undefined {
  const [, hex] = /^hmac-sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
  return hex === undefined ? undefined : Buffer.from(hex, "hex");
}

export function checkDigest(digest: string): Buffer {
  const packed = packDigest(digest);
  if (packed === undefined) throw new RangeError("what names a blob is not a digest of content");
  return packed;
}

/** True for text that the database keeps as it is: no NUL, and no half of a pair. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/**
 * A text as the database can list it. The state of a run has it as it is; a list must not keep the
 * run from going on.
 */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
