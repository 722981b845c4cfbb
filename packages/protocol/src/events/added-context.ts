/** The context that a model request shows, as its claim records it. */
import type { BlobRef } from "../log/blob-ref.ts";
import { THREAD_STRATEGIES, type ThreadStrategy } from "../loop/context-spec.ts";
import { hasOnly, type Is, isCount, isListOf, isNullOr, isOneOf, isText } from "../shape.ts";
import { isContentDigest, isRef } from "./fields.ts";

/**
 * The entries that a request to a model adds to the conversation; one digest names the earlier
 * ones.
 */
export interface AddedContext {
  readonly previous: string | null;
  readonly added: readonly ContextEntry[];
  readonly strategy: "append" | "leave-out" | ThreadStrategy;
  /** Why what a prompt wanted summarised was left out instead. */
  readonly unsummarized?: SummaryFault;
  /** In a thread: the most tokens that it may have, where the bound model says so. */
  readonly windowTokens?: number;
  /** Digests of earlier entries that are left out from this request on. */
  readonly leftOut?: readonly string[];
  /** Its thread: a place in the definition, or a name. */
  readonly thread?: string;
  /** In a thread: the number of the first entry that is added, from zero. */
  readonly at?: number;
  /** In a thread: which entries are shown, where that is new. */
  readonly shown?: ShownContext;
  /** The notes that stand at the end of this request, and of no other. */
  readonly tail?: TailContext;
}

/** The notes of a request. */
export interface TailContext {
  /** The place whose notes they are. */
  readonly scope: string;
  /** The number of the request among those with notes of the scope. */
  readonly round: number;
  readonly text: BlobRef;
}

/** The content of a request with a thread: `head`, then `kept`, then every entry from `from` on. */
export interface ShownContext {
  /** The system prompt and guidance. */
  readonly head: readonly ContextEntry[];
  /** The entries that replace the omitted ones. */
  readonly kept: readonly ContextEntry[];
  /** The number of the first entry that is shown. */
  readonly from: number;
  /** The span that the first of `kept` summarises, if it is a summary. */
  readonly summarized?: SummarizedSpan;
}

/** Entries that a summary stands for: from one number up to another, which is not among them. */
export interface SummarizedSpan {
  readonly from: number;
  readonly to: number;
  /** The summarised entries, as text. */
  readonly entries: BlobRef;
}

/** Why there is no summary. */
export const SUMMARY_FAULTS = [
  /** The summariser failed, or gave no text. */
  "failed",
  /** Its summary is not shorter than the entries. */
  "not-shorter",
  /** Its summary leaves too little room. */
  "no-room",
  /** The oldest entry alone is more than it can read. */
  "too-large",
  /** Too little could be summarised. */
  "too-small",
  /** A provider refused to read the entries. */
  "refused",
] as const;
export type SummaryFault = (typeof SUMMARY_FAULTS)[number];

export const ENTRY_ROLES = ["system", "user", "assistant", "tool"] as const;

export interface ContextEntry extends BlobRef {
  readonly role: (typeof ENTRY_ROLES)[number];
  /** For the result of a tool. */
  readonly toolCallId?: string;
  /** For an answer in a thread: the backend and the model that gave it. */
  readonly by?: string;
  /** For the role of the user: the origin of a text that is not by the user. */
  readonly origin?: EntryOrigin;
  /** The files that are part of it. */
  readonly files?: readonly BlobRef[];
}

/**
 * `copy`: entries of another run. `repair`: the problems of an output. `signal`: a person's message
 * to the run meanwhile. `summary`: of earlier entries. `note`: the number of entries that were left
 * out after it.
 */
export const ENTRY_ORIGINS = ["copy", "repair", "signal", "summary", "note"] as const;
export type EntryOrigin = (typeof ENTRY_ORIGINS)[number];

export const isEntry: Is<ContextEntry> = hasOnly(
  { digest: isContentDigest, size: isCount, mediaType: isText, role: isOneOf(ENTRY_ROLES) },
  {
    toolCallId: isText,
    by: isText,
    origin: isOneOf(ENTRY_ORIGINS),
    files: isListOf(isRef),
  },
);

const isSpan: Is<SummarizedSpan> = hasOnly({ from: isCount, to: isCount, entries: isRef });

const isShown: Is<ShownContext> = hasOnly(
  { head: isListOf(isEntry), kept: isListOf(isEntry), from: isCount },
  { summarized: isSpan },
);

export const isAddedContext: Is<AddedContext> = hasOnly(
  {
    previous: isNullOr(isText),
    added: isListOf(isEntry),
    strategy: isOneOf(["append", "leave-out", ...THREAD_STRATEGIES]),
  },
  {
    unsummarized: isOneOf(SUMMARY_FAULTS),
    windowTokens: isCount,
    leftOut: isListOf(isText),
    thread: isText,
    at: isCount,
    shown: isShown,
    tail: hasOnly({ scope: isText, round: isCount, text: isRef }),
  },
);
