import type { ModelMessage } from "@turnseal/ports";

/** What stands at the end of one request, and of no other: the notes as they are then. */
export interface Tail {
  /** The place whose notes they are. */
  readonly scope: string;
  /** The number of the request among those that show notes of the scope. */
  readonly round: number;
  readonly message: ModelMessage;
}
