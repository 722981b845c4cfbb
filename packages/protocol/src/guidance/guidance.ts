/**
 * Guidance: documents that a run gives its prompts to read (spec/run.md §8).
 *
 * They are named and digested when the run starts. They are untrusted: they grant nothing.
 */
import type { Digest } from "../digest.ts";

/** The most documents of one turn, with the summaries of earlier turns. */
export const GUIDANCE_DOCUMENTS_MAX = 12;
/** Bytes of one document, as UTF-8. */
export const GUIDANCE_BYTES_MAX = 64 * 1024;
/** Bytes of all documents of one turn. */
export const GUIDANCE_TOTAL_BYTES_MAX = 256 * 1024;
/** UTF-16 units of a reference. */
export const GUIDANCE_REF_LENGTH_MAX = 256;
/** The most earlier turns that are summarised for a turn. */
export const SUMMARIES_MAX = 8;

/** A document with the name that it goes by. */
export interface GuidanceDocument {
  /** A path relative to wherever the operator keeps such documents. */
  readonly ref: string;
  readonly text: string;
}

/**
 * The record of a document in a run. Its digest is plain: with the document, anyone can check it.
 */
export interface PinnedGuidance {
  readonly ref: string;
  readonly digest: Digest;
  readonly size: number;
  readonly mediaType: string;
}

export const GUIDANCE_REFUSALS = [
  "too-many",
  "too-large",
  "total-too-large",
  "duplicate-ref",
  "duplicate-text",
  "ref-absolute",
  "ref-outside",
  "ref-url",
  "ref-unreadable",
  "text-empty",
  "text-unreadable",
] as const;
export type GuidanceRefusal = (typeof GUIDANCE_REFUSALS)[number];
