import type { Blob } from "@turnseal/ports";
import type {
  ModelMessage,
  SummarizedSpan,
  SummaryFault,
  ThreadStrategy,
} from "@turnseal/protocol";

/** One request of a thread, as its claim records it. */
export interface ThreadStep {
  readonly name: string;
  /** The digest of everything before, or null in the first request. */
  readonly previous: string | null;
  /** The number of the first entry that it adds. */
  readonly at: number;
  /** Which entries it shows, where that is new. */
  readonly shown?: {
    readonly head: readonly ModelMessage[];
    readonly kept: readonly ModelMessage[];
    readonly from: number;
    readonly summarized?: SummarizedSpan;
  };
  readonly strategy: "append" | ThreadStrategy;
  /** Why entries are left out that should have been summarised. */
  readonly unsummarized?: SummaryFault;
  /** The most tokens that it may have, where the bound model says so. */
  readonly windowTokens?: number;
  /** Further blobs that are stored with it. */
  readonly blobs: readonly Blob[];
  /**
   * Called when it is in the log: with the digest of everything including the new part, and its
   * claim.
   */
  onRecorded(context: string, claim: number): void;
  /** The provider refused to read it. */
  onRefused(): void;
}
