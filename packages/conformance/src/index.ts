export { PROTOCOL_VERSION } from "./program/answers.ts";
export { BREAKDOWNS_MAX } from "./program/create-program-supply.ts";
export {
  type AdoptAsked,
  type OtherHands,
  parseAdopt,
  parseFiles,
  parseReconcile,
  type ReconcileAsked,
} from "./program/file-requests.ts";
export type { FilesByPlace, GivenFile } from "./program/given-file.ts";
export {
  type FlowRequest,
  parseFlow,
  parsePropose,
  parseRollback,
  parseSeat,
} from "./program/graph-requests.ts";
export { type GraphJudged, JUDGED, type Judged, type SessionJudged } from "./program/judged.ts";
export { createLineReader, LINE_BYTES_MAX } from "./program/line-reader.ts";
export { PROGRAM_ERROR_CODES, type ProgramErrorCode } from "./program/program-error.ts";
export {
  type BackendReply,
  type Betrayal,
  type CallRequest,
  type DeclaredBackend,
  type DeclaredTool,
  parseAdvance,
  parseCallRequests,
  parseCanonicalize,
  parseCheckChain,
  parseClock,
  parseCompile,
  parseCrash,
  parseGet,
  parseJudge,
  parseLoad,
  parseLose,
  parseOfRun,
  parseReopen,
  parseReset,
  parseScript,
  parseSession,
  parseStart,
  parseTell,
  parseVerify,
  type ReplyPart,
  type RunMessage,
  type Script,
  type ToolAction,
} from "./program/requests.ts";
export { ANSWER_TIMEOUT_MS, type Patience, START_TIMEOUT_MS } from "./program/start-program.ts";
export { renderCaseResult, renderSummary } from "./render-result.ts";
export { type CaseResult, runSuite, type SuiteOptions, type SuiteResult } from "./run-suite.ts";
export { PROFILES, type Profile, readCases } from "./vectors/read-cases.ts";
