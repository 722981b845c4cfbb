// The decision about one turn: plain data in, plain data out. It asks for nothing and allows
// nothing; what a turn may do is in its grant.

export interface TurnRequest {
  readonly loopId: string;
  readonly objective: string;
  /** Turns that are closed already. */
  readonly turnsClosed: number;
  readonly turnsMax: number;
  readonly previousSummary: string;
  readonly requestedTool: string;
  readonly allowedTools: string[];
  /** Whether somebody must look before there is an effect. */
  readonly needsReview: boolean;
}

export interface TurnDecision {
  turnId: string;
  turnIndex: number;
  decision: "continue" | "done" | "needs_human" | "refused";
  reasonCode: string;
  nextTurnAllowed: boolean;
  nextTurnReason: string;
  summary: string;
}

/** Turns after which the fixture's objective is met. */
const TURNS_NEEDED = 2;

/** The first of these that applies is the decision. */
export function decideTurn(request: TurnRequest): TurnDecision {
  const { loopId, objective, turnsClosed, turnsMax, requestedTool, allowedTools } = request;
  const turnIndex = turnsClosed + 1;
  const about = { turnId: `${loopId}:turn-${turnIndex}`, turnIndex };
  const end = (decision: "done" | "needs_human" | "refused", reasonCode: string, why: string) => ({
    ...{ ...about, decision, reasonCode, nextTurnAllowed: false, nextTurnReason: why },
    summary: `${objective}: ${why}`,
  });
  if (turnIndex > turnsMax)
    return end("refused", "turn_budget_exhausted", `more than ${turnsMax} turns`);
  if (!allowedTools.includes(requestedTool))
    return end("refused", "tool_not_allowed", `${requestedTool} is not allowed`);
  if (request.needsReview)
    return end("needs_human", "side_effect_review_required", "somebody must look first");
  if (turnIndex >= Math.min(turnsMax, TURNS_NEEDED))
    return end("done", "fixture_objective_complete", "the objective is met");
  return {
    ...about,
    decision: "continue",
    reasonCode: "bounded_next_turn_available",
    nextTurnAllowed: true,
    nextTurnReason: `turn ${turnIndex + 1} of at most ${turnsMax}`,
    summary: `${objective}: looked with ${requestedTool}`,
  };
}
