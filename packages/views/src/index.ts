export {
  type ActionRow,
  applyToTree,
  type CallRow,
  EMPTY_TREE,
  type ItemsRow,
  type NoteRow,
  type Row,
  type RowState,
} from "./calls/call-tree.ts";
export { type MeasuredAction, type MeasuredRun, measureRuns } from "./metrics/measure-runs.ts";
export {
  type ChangedLine,
  compareLoops,
  compareTexts,
  type LoopChange,
} from "./run/compare-loops.ts";
export { describeBlocked, findBlocked, type NamedBlock } from "./run/describe-blocked.ts";
export {
  type AwaitedProvider,
  type Cause,
  describeCause,
  describeTurnFailure,
  type FailedRequest,
  findAwaitedProvider,
  findGivenUp,
} from "./run/describe-cause.ts";
export { describeQueued } from "./run/describe-queued.ts";
export { adviseAfter, explainReason } from "./run/explain-reason.ts";
export {
  ALLOWANCES_MAX,
  type Allowance,
  type Approver,
  followAllowances,
} from "./run/follow-allowances.ts";
export {
  type FanOutCount,
  type FlowPlace,
  type FlowSummary,
  followFlows,
} from "./run/follow-flows.ts";
export { followGroupEnds, GROUP_ENDS_MAX, type GroupEnd } from "./run/follow-group-ends.ts";
export { followMessage, type MessageState } from "./run/follow-message.ts";
export { type FollowedPlan, followPlan, type StepState } from "./run/follow-plan.ts";
export { followReports, type TurnReport } from "./run/follow-reports.ts";
export { followUsage, type ModelUse } from "./run/follow-usage.ts";
export { type Count, type RunSummary, type Spoken, summarizeRun } from "./run/summarize-run.ts";
export { applySessionEvent } from "./session/apply-session-event.ts";
export { emptySession, type SessionState, type Standing } from "./session/session-state.ts";
export { createTeller, type Teller } from "./session/tell-handlers.ts";
export { toModelMessages } from "./session/to-model-messages.ts";
export { type Appearance, VIEW_TABLE, VIEWS, type View } from "./view-table.ts";
