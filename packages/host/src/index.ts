export { type AdvanceOptions, advance, SLICE_MS_DEFAULT } from "./advance.ts";
export { bindHost, type ClientOptions, type HostOptions } from "./bind-host.ts";
export type { Advanced, Blocked, Elsewhere, Obstacle, Progress } from "./decide/advanced.ts";
export { decideNext, meetsGoal } from "./decide/decide-next.ts";
export { decideStop, type StopDecision, type StopFacts } from "./decide/decide-stop.ts";
export { type Dues, dues } from "./decide/dues.ts";
export { LOOK_DELAY_MS_MAX, LOOKS_MAX, type Look } from "./decide/look.ts";
export { lookAfterLoss } from "./decide/look-after-loss.ts";
export { mapSignal } from "./decide/map-signal.ts";
export { type Delivery, type DeliveryPorts, deliver } from "./deliver/deliver.ts";
export {
  type AdoptionPlan,
  type AdoptionProblem,
  type AdoptionRequest,
  planAdoption,
} from "./drift/adopt-files.ts";
export { type FileWordEnd, findWordEnd } from "./drift/find-word-end.ts";
export {
  planReconciliation,
  type ReconcilePlan,
  type ReconcileProblem,
  type ReconcileRequest,
  type ReconcileSide,
  type ShownFile,
} from "./drift/plan-reconciliation.ts";
export {
  COUNTED_FILES_MAX,
  type FileDrift,
  isDrifted,
  openRunWorld,
  type RootDrift,
  type RunWorld,
} from "./drift/run-world.ts";
export { HOST_ERROR_CODES, HostError, type HostErrorCode, SignalError } from "./host-error.ts";
export type { AskedTurn, HostPorts, ReachedLimit, TurnLimits } from "./host-ports.ts";
export { isEditable } from "./inbox/draft-decision.ts";
export { STARTER_LENGTH_MAX } from "./inbox/draft-start.ts";
export { readQueued } from "./inbox/read-queued.ts";
export { readsSignal } from "./inbox/reads-signal.ts";
export {
  type ActionLayerOptions,
  type ActionToRun,
  createActionLayer,
} from "./local/action-layer.ts";
export type { Driven } from "./local/drive-run.ts";
export {
  createLocalHost,
  type LocalHost,
  type LocalHostOptions,
} from "./local/local-host.ts";
export {
  createRunClient,
  type RunClient,
  type RunClientOptions,
  type RunFile,
} from "./local/run-client.ts";
export { createRunDriver, type RunDriver } from "./local/run-driver.ts";
export type { RunOutcome } from "./local/run-outcome.ts";
export type { RunPiece } from "./local/stream-run.ts";
export { checkAwaited, readSample } from "./messages/check-awaited.ts";
export { chooseUnknown } from "./messages/choose-unknown.ts";
export type { FilesToAttach } from "./messages/files-to-attach.ts";
export {
  findStartProblem,
  type IntendedStart,
  type StartProblem,
} from "./messages/find-start-problem.ts";
export {
  ANSWERS,
  type AnswerToSend,
  answerMessage,
  type CancelToSend,
  cancelMessage,
  type DecisionToSend,
  decideMessage,
  listAnswers,
  type Resolution,
  resolveMessage,
  retryMessage,
  type SignalToSend,
  signalMessage,
  type UnknownAnswer,
} from "./messages/inbox-messages.ts";
export { listAnswered } from "./messages/list-answered.ts";
export { listMisfits } from "./messages/list-misfits.ts";
export { listPathProblems } from "./messages/list-path-problems.ts";
export { listUnboundBackends, listUnboundTools, type Unbound } from "./messages/list-unbound.ts";
export { listUnknownTools } from "./messages/list-unknown-tools.ts";
export {
  checkAnswer,
  checkDecision,
  checkPerson,
  listPersonRequests,
  listRequests,
  type PersonRequest,
  type WaitingRequest,
} from "./messages/requests.ts";
export {
  RUN_INPUT_BYTES_MAX,
  type StartOptions,
  startMessage,
} from "./messages/start-message.ts";
export {
  type TellPorts,
  type ToldFiles,
  tellAdoption,
  tellReconciliation,
} from "./messages/tell-files.ts";
export type { UnknownRequest } from "./messages/unknown-requests.ts";
export { KEPT_LOOPS_BYTES_MAX, openPinnedLoops } from "./pinned-loops.ts";
export { applyEvent, emptyProjection } from "./projection/apply-event.ts";
export { findQuarantined, type Quarantined } from "./projection/find-quarantined.ts";
export { findUnstarted } from "./projection/find-unstarted.ts";
export { listHandoffs } from "./projection/list-handoffs.ts";
export {
  collectEvents,
  loadProjection,
  readEvents,
  readSnapshot,
} from "./projection/load-projection.ts";
export { readRun } from "./projection/read-run.ts";
export {
  type ClosedTurn,
  FOLD,
  type OpenClaim,
  type OpenHandoff,
  type OpenRequest,
  type OpenTurn,
  type RunProjection,
  SIGNAL_NAMES_MAX,
  type UnknownClaim,
  type UnknownEnd,
} from "./projection/run-projection.ts";
export { listUnknown } from "./projection/unknown-ends.ts";
export { readContent } from "./read-content.ts";
export { type RebuiltGraph, rebuildGraph } from "./rebuild-graph.ts";
export { registerPlan, registerPlanOf } from "./register-plan.ts";
export { findReleaseLack } from "./release/find-release-lack.ts";
export { describeRelease, isReleaseName, type Release } from "./release/release.ts";
export {
  checkResume,
  type Drift,
  type ResumeCheck,
  type ResumePorts,
} from "./replay/check-resume.ts";
export { type ReplayPorts, replayRun, type TurnReplay } from "./replay/replay-run.ts";
export {
  CHECKPOINTS_MAX,
  type Checkpoint,
  type CheckpointList,
  findCheckpoint,
  listCheckpoints,
} from "./rollback/checkpoints.ts";
export type { UndoStep } from "./rollback/judge-deed.ts";
export type {
  LackedUndo,
  RollbackList,
  RollbackRefusal,
  RollbackSearch,
} from "./rollback/list-rollback.ts";
export type { RollbackOptions } from "./rollback/prepare-rollback.ts";
export type { RollbackAnswer } from "./rollback/propose-rollback.ts";
export {
  type KnownRollback,
  listRollbacks,
  type RollbackProgress,
  readRollbackHead,
  readRollbackProgress,
} from "./rollback/rollback-chain.ts";
export { digestStanding } from "./rollback/standing-files.ts";
export { findRollbackCause, type TriggeredRollback } from "./rollback/trigger-rollback.ts";
export { isRollbackRun, type RollbackHead, runOfKey } from "./run-ids.ts";
export { nextTick } from "./schedule/next-tick.ts";
export { settleFiles } from "./settle-files.ts";
export {
  type ActionRow,
  applyToTree,
  type CallRow,
  EMPTY_TREE,
  type ItemsRow,
  type NoteRow,
  type Row,
  type RowState,
} from "./views/call/call-tree.ts";
export {
  type MeasuredAction,
  type MeasuredRun,
  type MeasuredTurn,
  measureRuns,
  type RunMeter,
} from "./views/metrics/measure-runs.ts";
export { type FollowMplp, followMplp, type ReadWords } from "./views/mplp/follow-mplp.ts";
export { MPLP_FAMILIES, type MplpEvent, type MplpFamily } from "./views/mplp/mplp-event.ts";
export { readMplp } from "./views/mplp/read-mplp.ts";
export { type FollowProv, followProv, type ReadValue } from "./views/prov/follow-prov.ts";
export {
  PROV_ELEMENTS,
  PROV_RELATIONS,
  type ProvElement,
  type ProvRecord,
  type ProvRelation,
  toProvDocument,
} from "./views/prov/prov-record.ts";
export { readProv } from "./views/prov/read-prov.ts";
export { type CollectedRun, collectRun } from "./views/run/collect-run.ts";
export {
  type ChangedLine,
  compareLoops,
  compareTexts,
  type LoopChange,
} from "./views/run/compare-loops.ts";
export { describeBlocked, findBlocked, type NamedBlock } from "./views/run/describe-blocked.ts";
export {
  type AwaitedProvider,
  describeCause,
  type FailedRequest,
  findAwaitedProvider,
} from "./views/run/describe-cause.ts";
export { describeQueued } from "./views/run/describe-queued.ts";
export { adviseAfter, explainReason } from "./views/run/explain-reason.ts";
export { findRootRun, listChildren, readFamily } from "./views/run/family.ts";
export { type CopyKind, findCopies, type RunCopy } from "./views/run/find-copies.ts";
export {
  ALLOWANCES_MAX,
  type Allowance,
  type Approver,
  followAllowances,
} from "./views/run/follow-allowances.ts";
export {
  type FanOutCount,
  type FlowPlace,
  type FlowSummary,
  followFlows,
} from "./views/run/follow-flows.ts";
export type { GroupEnd } from "./views/run/follow-group-ends.ts";
export {
  type FollowedPlan,
  type FollowedStep,
  followPlan,
  type PlanFollower,
  type StepState,
} from "./views/run/follow-plan.ts";
export { followReports, type TurnReport } from "./views/run/follow-reports.ts";
export { followUsage, type ModelUse } from "./views/run/follow-usage.ts";
export { type KnownRun, readKnown } from "./views/run/known-run.ts";
export { type ForkedTurn, readForkedTurn } from "./views/run/read-forked-turn.ts";
export { type FlowPart, readParts } from "./views/run/read-parts.ts";
export {
  type BilledTokens,
  type RequestPlace,
  readSentContext,
  type SentContext,
  type SentEntry,
} from "./views/run/read-sent-context.ts";
export {
  type OpenWord,
  type RunState,
  readRunState,
  toOpenWord,
  toUnknownWord,
  type UnknownWord,
} from "./views/run/run-state.ts";
export {
  type Count,
  type RunSummary,
  type Spoken,
  summarizeRun,
} from "./views/run/summarize-run.ts";
export { traceRun } from "./views/run/trace-run.ts";
export {
  type KeptWord,
  listAwaited,
  readWaiting,
  type Waiting,
} from "./views/run/waiting.ts";
export {
  type DriveOptions,
  type DrivePorts,
  driveHandlers,
} from "./views/session/drive-handlers.ts";
export { findTurn } from "./views/session/find-event.ts";
export { type ReadRequest, readModelMessages } from "./views/session/read-model-messages.ts";
export {
  type OpenedSession,
  openSession,
  readSession,
  SESSION_PAGE_MAX,
  type SessionOptions,
  type SessionPage,
  type SessionReader,
} from "./views/session/read-session.ts";
export { toModelMessages } from "./views/session/to-model-messages.ts";
export {
  type Appearance,
  type EventViews,
  VIEW_TABLE,
  VIEWS,
  type View,
  type ViewTable,
} from "./views/view-table.ts";
