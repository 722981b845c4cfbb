import { canonicalize, sha256Hex } from "@turnseal/protocol";

/**
 * The place of an action in the structure of its run. The attempt is not part of it: every attempt
 * has the same key.
 */
export interface ActionPlace {
  readonly run: string;
  readonly turn: number;
  /** The structural path of the call. */
  readonly path: string;
  readonly ordinal: number;
  /** How many failures of this action were settled before. */
  readonly retry: number;
}

/** The idempotency key of an action. */
export function actionKey({ run, turn, path, ordinal, retry }: ActionPlace): string {
  return sha256Hex(canonicalize([run, turn, path, ordinal, retry]));
}
