import { readBytes, readInteger } from "../columns.ts";
import { packDigest } from "../names.ts";
import type { Database, Statement } from "../open-database.ts";
import { PERIOD_OF_RUN } from "../open-run.ts";

/**
 * Bytes of a blob that one statement answers: the driver takes bytes as text, and holds several
 * times their size while it reads them.
 */
export const BLOB_SLICE_BYTES_MAX = 8 * 1024 * 1024;

export const readBlobStatement: Statement = {
  name: "read-blob",
  reach: "run",
  text: `
    select octet_length(bytes) as size,
           substring(bytes from $4::int + 1 for ${BLOB_SLICE_BYTES_MAX}) as slice
      from turnseal.blob
     where tenant = $1 and run = $2 and digest = $3 and period = ${PERIOD_OF_RUN}`,
};

/** The bytes of a blob, slice by slice; what is erased meanwhile is not there. */
export async function readBlob(
  db: Database,
  run: string,
  digest: string,
): Promise<Uint8Array | undefined> {
  const packed = packDigest(digest);
  if (packed === undefined) return undefined;
  let whole: Uint8Array | undefined;
  for (let from = 0; ; from += BLOB_SLICE_BYTES_MAX) {
    const [row] = await db.query(readBlobStatement, [db.tenant, run, packed, from]);
    if (row === undefined) return undefined;
    const size = readInteger(row, "size");
    const slice = readBytes(row, "slice");
    if (slice.length === size) return slice;
    whole ??= new Uint8Array(size);
    whole.set(slice, from);
    if (from + slice.length >= size) return whole;
  }
}
