export type { Agent, Caller, DrivingHost, FindTenant, SessionHost } from "@turnseal/sessions";
export {
  createServer,
  type FailurePlace,
  type Server,
  type ServerOptions,
  type ServerSettings,
} from "./create-server.ts";
export { type DrivenRuns, type DriveRunsOptions, driveRuns } from "./drive-runs.ts";
export { SERVER_ERROR_CODES, type ServerErrorCode } from "./http/refusal.ts";
export type { Answered } from "./http/tell-answered.ts";
export { type ApiKey, apiKeys } from "./identity/api-keys.ts";
export type { Authenticate } from "./identity/caller.ts";
export { type LocalhostOptions, localhostOnly } from "./identity/localhost-only.ts";
export { type OidcOptions, oidc } from "./identity/oidc.ts";
export type { ServerLimits } from "./limits.ts";
export { nodeHandler, type ServedHttp, type ServeOptions, serve } from "./serve.ts";
