import type { ModelMessage } from "@turnseal/ports";
import type { Strategy } from "@turnseal/protocol";

/** How one request goes on with a thread, as its claim records it. */
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
  };
  readonly strategy: "append" | Strategy;
  /** It stands in the log now: the digest of everything with what it added, and its claim. */
  onRecorded(context: string, claim: number): void;
  /** The provider refused to read it. */
  onRefused(): void;
}
