/**
 * Text as it stands in a store: the first byte names the form, the rest is the text in it.
 *
 * 1. Reading returns the written text to the byte, for every form.
 * 2. A form is never given up: rows stay as they were written.
 * 3. Unknown means no: a form that is not known is not read.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { invariant } from "@turnseal/protocol";
import { PACK_WORDS } from "./pack-words.ts";

/** As it is: rows of a migration, and texts that compression would only enlarge. */
const PLAIN = 0;
/** Compressed by zstd, with the dictionary. */
const ZSTD = 1;

/** Bytes of one text, written or read back: a damaged store must not fill the memory. */
export const PACKED_TEXT_BYTES_MAX = 32 * 1024 * 1024;

const dictionary = new TextEncoder().encode(PACK_WORDS);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** The next levels take three times as long, for a twentieth of the bytes. */
const LEVEL = 3;
const params = {
  [constants.ZSTD_c_compressionLevel]: LEVEL,
  // Damage that still reads as a text would be found much later, by its hashes.
  [constants.ZSTD_c_checksumFlag]: 1,
};

export function packText(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  const isWithin = bytes.length <= PACKED_TEXT_BYTES_MAX;
  invariant(isWithin, "a packed text is not larger than PACKED_TEXT_BYTES_MAX");
  const packed = zstdCompressSync(bytes, { dictionary, params });
  return packed.length < bytes.length ? withForm(ZSTD, packed) : withForm(PLAIN, bytes);
}

function withForm(form: number, bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length + 1);
  whole[0] = form;
  whole.set(bytes, 1);
  return whole;
}

/** The text; throws when the bytes are none. */
export function unpackText(packed: Uint8Array): string {
  const bytes = packed.subarray(1);
  switch (packed[0]) {
    case PLAIN:
      return decoder.decode(bytes);
    case ZSTD:
      return decoder.decode(
        zstdDecompressSync(bytes, { dictionary, maxOutputLength: PACKED_TEXT_BYTES_MAX }),
      );
    default:
      throw new Error("the text is packed in a form that is not known here");
  }
}
