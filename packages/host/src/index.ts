export { type AdvanceOptions, advance, SLICE_MS_DEFAULT } from "./advance.ts";
export type { Advanced, Blocked, Obstacle, Progress } from "./advanced.ts";
export { bindHost, type HostOptions } from "./bind-host.ts";
export type { HostPorts } from "./carrier.ts";
export { type Delivery, type DeliveryPorts, deliver, listHandoffs } from "./deliver.ts";
export { type Dues, dues } from "./dues.ts";
export { findUnstarted } from "./find-unstarted.ts";
export { HOST_ERROR_CODES, HostError, type HostErrorCode } from "./host-error.ts";
export { collectEvents, loadProjection, readEvents, readSnapshot } from "./load-projection.ts";
export {
  checkResume,
  type Drift,
  type ResumeCheck,
  type ResumePorts,
} from "./local/check-resume.ts";
export type { Driven } from "./local/drive-run.ts";
export {
  ANSWERS,
  type AnswerToSend,
  answerMessage,
  type CancelToSend,
  cancelMessage,
  type DecisionToSend,
  decideMessage,
  type Resolution,
  resolveMessage,
  type SignalToSend,
  signalMessage,
  type UnknownAnswer,
} from "./local/inbox-messages.ts";
export { listAnswered } from "./local/list-answered.ts";
export {
  createLocalHost,
  type LocalHost,
  type LocalHostOptions,
} from "./local/local-host.ts";
export { readRun } from "./local/read-run.ts";
export { type ReplayPorts, replayRun, type TurnReplay } from "./local/replay-run.ts";
export {
  checkAnswer,
  checkDecision,
  checkPerson,
  checkResolution,
  findRequest,
  listRequests,
  type WaitingRequest,
} from "./local/requests.ts";
export {
  RUN_INPUT_BYTES_MAX,
  type StartOptions,
  startMessage,
} from "./local/start-message.ts";
export { decideNext, meetsGoal } from "./next/decide-next.ts";
export { readsSignal } from "./next/reads-signal.ts";
export { nextTick } from "./next-tick.ts";
export { applyEvent, emptyProjection } from "./projection/apply-event.ts";
export {
  type ClosedTurn,
  FOLD,
  type OpenClaim,
  type OpenHandoff,
  type OpenRequest,
  type OpenTurn,
  type RunProjection,
  SIGNAL_NAMES_MAX,
  type UnknownEnd,
} from "./projection/run-projection.ts";
export { decideStop, type StopDecision, type StopFacts } from "./stop/decide-stop.ts";
export { STARTER_LENGTH_MAX } from "./take-start.ts";
export {
  type DriveOptions,
  type DrivePorts,
  driveHandlers,
} from "./views/session/drive-handlers.ts";
export { type ReadRequest, readModelMessages } from "./views/session/read-model-messages.ts";
export {
  type OpenedSession,
  openSession,
  readSession,
  SESSION_PAGE_BYTES_MAX,
  SESSION_PAGE_MAX,
  type SessionOptions,
  type SessionPage,
  type SessionReader,
} from "./views/session/read-session.ts";
export { toModelMessages } from "./views/session/to-model-messages.ts";
