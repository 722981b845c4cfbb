import type {
  BlobRef,
  Exclusion,
  PassedFacts,
  StandingRest,
  StandingTerms,
} from "@turnseal/protocol";

/** The facts of a request that an approval of it can stand for. */
export interface StandingRequest extends Pick<PassedFacts, "rule" | "role" | "policy"> {
  readonly mayStand: StandingTerms;
  /** The code, the declarations and the rule that every later action must share. */
  readonly standsFor: string;
  readonly exclude: readonly Exclusion[];
}

/** An approval that stands, with what is left of it. */
export interface StandingApproval extends Omit<StandingRequest, "mayStand">, StandingRest {
  /** The id of the decision: what people call it by. */
  readonly id: string;
  /** The decision and its request, by sequence number. */
  readonly decision: number;
  readonly hash: string;
  readonly approval: number;
  readonly tool: string;
  readonly by: string;
  readonly given: StandingTerms;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly until: string;
  readonly pattern: BlobRef;
}
