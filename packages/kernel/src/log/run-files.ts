/**
 * The files of a run: blobs under its own key, so that a reference from elsewhere finds nothing.
 *
 * 1. Every stored file was checked: its type is in the list, and its bytes are of that type.
 * 2. Every read file is checked again. A reference that does not match its bytes names no file, and
 *    neither do replaced bytes.
 */
import type { Blob, BlobStore, FileToTake } from "@turnseal/ports";
import { hmacSha256Hex } from "@turnseal/protocol";
import {
  checkFile,
  type FileRef,
  type FileRefusal,
  isFileName,
  toBlobRef,
} from "@turnseal/protocol/files";
import { LogError } from "./log-error.ts";

export type SealedFile =
  | { readonly kind: "sealed"; readonly file: FileRef; readonly blob: Blob }
  | { readonly kind: "refused"; readonly reason: FileRefusal | "name-unfit" };

export interface RunFiles {
  /** Names a file, if it is one that the run may keep. */
  seal(file: FileToTake): SealedFile;
  /** Makes it durable. */
  store(blob: Blob): Promise<void>;
  /** The bytes; undefined where the run has no such file. */
  read(file: FileRef): Promise<Uint8Array | undefined>;
  /** The bytes of a file that the run had. Throws where they are gone, or were exchanged. */
  load(file: FileRef): Promise<Uint8Array>;
}

export function createRunFiles(run: string, key: Uint8Array, blobs: BlobStore): RunFiles {
  const digestOf = (bytes: Uint8Array) => `hmac-sha256:${hmacSha256Hex(key, bytes)}` as const;
  const read = async ({ file, bytes: size, mediaType }: FileRef) => {
    const bytes = await blobs.read(run, file);
    if (bytes?.length !== size || checkFile(bytes, mediaType) !== undefined) return undefined;
    return digestOf(bytes) === file ? bytes : undefined;
  };
  return {
    seal: ({ bytes: given, mediaType, name }) => {
      const reason = checkFile(given, mediaType);
      if (reason !== undefined) return { kind: "refused", reason };
      if (name !== undefined && !isFileName(name)) return { kind: "refused", reason: "name-unfit" };
      // A copy: the caller may go on writing to its own.
      const bytes = new Uint8Array(given);
      const file: FileRef = {
        file: digestOf(bytes),
        mediaType,
        bytes: bytes.length,
        ...(name === undefined ? {} : { name }),
      };
      return { kind: "sealed", file, blob: { ...toBlobRef(file), bytes } };
    },
    store: (blob) => blobs.put(run, blob),
    read,
    load: async (named) => {
      const bytes = await read(named);
      if (bytes !== undefined) return bytes;
      const { file } = named;
      if ((await blobs.read(run, file)) === undefined)
        throw new LogError("LOG_CONTENT_MISSING", `the file ${file} was erased or never stored`);
      throw new LogError("LOG_CONTENT_CHANGED", `the file ${file} is not what was stored`);
    },
  };
}
