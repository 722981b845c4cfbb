import type { ModelMessage } from "@turnseal/protocol";

/** The end of one request, and of no other: the notes at that time. */
export interface Tail {
  /** The place whose notes they are. */
  readonly scope: string;
  /** The number of the request among those with notes of the scope. */
  readonly round: number;
  readonly message: ModelMessage;
}
