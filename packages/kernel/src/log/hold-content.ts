/**
 * Keeps the latest content of a log's writer in memory: the queued part, and some of the last
 * written. So recent content needs no read from the store.
 */
import { type Blob, INLINE_BLOB_BYTES_MAX } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import type { Content } from "./content.ts";

export interface HeldContent {
  readonly content: Content;
  /**
   * Marks the queued content as being written. The latest of it stays at hand until the next time.
   */
  pass(): void;
}

/** Blobs that stay at hand once they are written. */
const WRITTEN_MAX = 16;

export function holdContent(content: Content, inLine: () => readonly Blob[]): HeldContent {
  let written: readonly Blob[] = [];
  return {
    content: {
      ...content,
      read: async (reference) => {
        const isAsked = ({ digest }: Blob): boolean => digest === reference.digest;
        const blob = inLine().find(isAsked) ?? written.find(isAsked);
        return blob === undefined ? content.read(reference) : parse(blob);
      },
    },
    pass: () => {
      const small = inLine().filter(({ size }) => size <= INLINE_BLOB_BYTES_MAX);
      written = small.slice(-WRITTEN_MAX);
    },
  };
}

/** As it would be read from the store: in the order of its canonical form. */
function parse({ bytes }: Blob): JsonValue {
  return JSON.parse(decoder.decode(bytes)) as JsonValue;
}

const decoder = new TextDecoder();
