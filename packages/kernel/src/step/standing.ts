import type { StandingApproval } from "@turnseal/folds";
import type { JsonValue } from "@turnseal/protocol";

/** The approvals that stand in the run now, and the patterns of those from before this attempt. */
export interface Standing {
  readonly list: () => readonly StandingApproval[];
  /** By the sequence number of the decision. */
  readonly patterns: ReadonlyMap<number, JsonValue>;
}
