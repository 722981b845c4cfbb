/**
 * Content of which the writer of a log has the latest at hand: what is in line to be written, and
 * some of what it has written last. Nobody has to ask the store for what was just said.
 */
import { type Blob, INLINE_BLOB_BYTES_MAX } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import type { Content } from "./content.ts";

export interface HeldContent {
  readonly content: Content;
  /** What is in line is being written: the latest of it stays at hand until the next time. */
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
