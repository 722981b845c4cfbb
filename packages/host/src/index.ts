export { type AdvanceOptions, advance, SLICE_MS_DEFAULT } from "./advance.ts";
export { bindHost, type ClientOptions, type HostOptions } from "./bind-host.ts";
export type { Advanced, Blocked, Elsewhere, Progress } from "./decide/advanced.ts";
export { decideNext, meetsGoal } from "./decide/decide-next.ts";
export { decideStop, type StopFacts } from "./decide/decide-stop.ts";
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
export {
  COUNTED_FILES_MAX,
  type DriftFinder,
  type FileDrift,
  isDrifted,
  openDriftFinder,
  type RootDrift,
} from "./drift/drift-finder.ts";
export { type FileAnswerEnd, findAnswerEnd } from "./drift/find-answer-end.ts";
export {
  planReconciliation,
  type ReconcilePlan,
  type ReconcileProblem,
  type ReconcileRequest,
  type ReconcileSide,
  type ShownFile,
} from "./drift/plan-reconciliation.ts";
export { settleFiles } from "./hold/settle-files.ts";
export { HOST_ERROR_CODES, HostError, type HostErrorCode, SignalError } from "./host-error.ts";
export type { AskedTurn, HostPorts, ReachedLimit, TurnLimits } from "./host-ports.ts";
export { isEditable } from "./inbox/draft-decision.ts";
export { STARTER_LENGTH_MAX } from "./inbox/draft-start.ts";
export { readQueued } from "./inbox/read-queued.ts";
export { readsSignal } from "./inbox/reads-signal.ts";
export type { AnswerOptions, AnswerRequest, RequestAnswer } from "./local/answer-requests.ts";
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
  type SignalAnswer,
} from "./local/run-client.ts";
export { createRunDriver, type RunDriver } from "./local/run-driver.ts";
export type { RunOutcome } from "./local/run-outcome.ts";
export type { RunPiece } from "./local/stream-run.ts";
export { boundByGoal } from "./messages/bound-by-goal.ts";
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
  revokeMessage,
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
  type DecidableTerms,
  listPersonRequests,
  listRequests,
  type PersonRequest,
  type WaitingRequest,
} from "./messages/requests.ts";
export { sampleValue } from "./messages/sample-value.ts";
export {
  checkStanding,
  findStanding,
  type GivenStanding,
  listStandingApprovals,
} from "./messages/standing.ts";
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
export {
  OBSERVER_ANSWER_MS_MAX,
  OBSERVER_REFUSALS_MAX,
  OBSERVER_RETRIES_MAX,
} from "./observe/courier.ts";
export {
  OBSERVER_NAME_LENGTH_MAX,
  OBSERVERS_MAX,
  type ObservedRuns,
  type ObserveOptions,
  observeRuns,
} from "./observe/observe-runs.ts";
export { type CollectedRun, collectRun } from "./read/run/collect-run.ts";
export { findRootRun, listChildren, readFamily } from "./read/run/family.ts";
export { type CopyKind, findCopies, type RunCopy } from "./read/run/find-copies.ts";
export { type KnownRun, readKnown } from "./read/run/known-run.ts";
export { type ForkedTurn, readForkedTurn } from "./read/run/read-forked-turn.ts";
export { findMessage, MESSAGE_LOOK_BACK_MAX } from "./read/run/read-message.ts";
export { type FlowPart, readParts } from "./read/run/read-parts.ts";
export {
  type BilledTokens,
  type RequestPlace,
  readSentContext,
  type SentContext,
  type SentEntry,
} from "./read/run/read-sent-context.ts";
export {
  type OpenWord,
  type RunState,
  readRunState,
  toOpenWord,
  toUnknownWord,
  type UnknownWord,
} from "./read/run/run-state.ts";
export { traceRun } from "./read/run/trace-run.ts";
export { type KeptWord, listAwaited, readWaiting, type Waiting } from "./read/run/waiting.ts";
export {
  type DriveOptions,
  type DrivePorts,
  driveHandlers,
} from "./read/session/drive-handlers.ts";
export { findTurn } from "./read/session/find-event.ts";
export { type ReadRequest, readModelMessages } from "./read/session/read-model-messages.ts";
export {
  type OpenedSession,
  openSession,
  readSession,
  SESSION_PAGE_MAX,
  type SessionOptions,
  type SessionPage,
  type SessionReader,
} from "./read/session/read-session.ts";
export { findReleaseLack } from "./release/find-release-lack.ts";
export { describeRelease, isReleaseName, type Release } from "./release/release.ts";
export {
  checkResume,
  type Drift,
  type ResumeCheck,
  type ResumePorts,
} from "./replay/check-resume.ts";
export { type ReplayPorts, replayRun, type TurnReplay } from "./replay/replay-run.ts";
export { isRollbackRun, type RollbackHead, runOfKey } from "./run-ids.ts";
export { nextTick } from "./schedule/next-tick.ts";
export { findUnstarted } from "./state/find-unstarted.ts";
export { hashKept } from "./state/hash-kept.ts";
export {
  collectEvents,
  loadProjection,
  readEvents,
  readSnapshot,
} from "./state/load-projection.ts";
export { KEPT_LOOPS_BYTES_MAX, openPinnedLoops } from "./state/pinned-loops.ts";
export { readContent } from "./state/read-content.ts";
export { readRun } from "./state/read-run.ts";
export { type RebuiltGraph, rebuildGraph } from "./state/rebuild-graph.ts";
export { registerPlan, registerPlanOf } from "./state/register-plan.ts";
export {
  CHECKPOINTS_MAX,
  type Checkpoint,
  type CheckpointList,
  findCheckpoint,
  listCheckpoints,
} from "./undo/find/checkpoints.ts";
export type { UndoStep } from "./undo/find/judge-effect.ts";
export { digestPresentFiles } from "./undo/find/present-files.ts";
export {
  type KnownRollback,
  listRollbacks,
  type RollbackProgress,
  readRollbackHead,
  readRollbackProgress,
} from "./undo/find/rollback-chain.ts";
export type {
  MissingCompensation,
  RollbackList,
  RollbackRefusal,
  RollbackSearch,
} from "./undo/plan/list-rollback.ts";
export type { RollbackOptions } from "./undo/plan/prepare-rollback.ts";
export type { RollbackAnswer } from "./undo/run/propose-rollback.ts";
export { findRollbackCause, type TriggeredRollback } from "./undo/run/trigger-rollback.ts";
