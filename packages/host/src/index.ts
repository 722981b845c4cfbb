export {
  type Advanced,
  type AdvanceOptions,
  advance,
  type HostPorts,
  type Progress,
  SLICE_MS_DEFAULT,
} from "./advance.ts";
export { type Dues, dues } from "./dues.ts";
export { collectEvents, loadProjection, readEvents } from "./load-projection.ts";
export {
  checkResume,
  type Drift,
  type ResumeCheck,
  type ResumePorts,
} from "./local/check-resume.ts";
export { HOST_ERROR_CODES, HostError, type HostErrorCode } from "./local/host-error.ts";
export {
  ANSWERS,
  cancelMessage,
  type Resolution,
  resolveMessage,
  type SignalToSend,
  signalMessage,
  type UnknownAnswer,
} from "./local/inbox-messages.ts";
export {
  createLocalHost,
  type LocalHost,
  type LocalHostOptions,
  RUN_INPUT_BYTES_MAX,
  type StartOptions,
} from "./local/local-host.ts";
export { readRun } from "./local/read-run.ts";
export { type ReplayPorts, replayRun, type TurnReplay } from "./local/replay-run.ts";
export { decideNext, meetsGoal } from "./next/decide-next.ts";
export { applyEvent, emptyProjection } from "./projection/apply-event.ts";
export {
  type ClosedTurn,
  type OpenClaim,
  type OpenTurn,
  type RunProjection,
  SIGNAL_NAMES_MAX,
} from "./projection/run-projection.ts";
export { decideStop, type StopDecision, type StopFacts } from "./stop/decide-stop.ts";
