// What a program under test needs to read the requests.
export { PROTOCOL_VERSION } from "./answers.ts";
export { BREAKDOWNS_MAX } from "./create-program-supply.ts";
export {
  type AdoptAsked,
  type OtherHands,
  parseAdopt,
  parseFiles,
  parseReconcile,
  type ReconcileAsked,
} from "./file-requests.ts";
export type { FilesByPlace, GivenFile } from "./given-file.ts";
export {
  type FlowRequest,
  parseFlow,
  parsePropose,
  parseRollback,
  parseSeat,
} from "./graph-requests.ts";
export { type GraphJudged, JUDGED, type Judged, type SessionJudged } from "./judged.ts";
export { createLineReader } from "./line-reader.ts";
export { PROGRAM_ERROR_CODES, type ProgramErrorCode } from "./program-error.ts";
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
} from "./requests.ts";
export type { Patience } from "./start-program.ts";
