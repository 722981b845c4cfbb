export { WORKSPACE_ROOT, WORKSPACE_VERBS } from "../workspace.ts";
export { type BoundModels, bindModels } from "./bind-models.ts";
export { bindRoots } from "./bind-roots.ts";
export { AMOUNT_MAX } from "./bounds/bounds.ts";
export { computeBounds, TURN_CALLS_MAX, type TurnBounds } from "./bounds/compute-bounds.ts";
export { createPricing } from "./bounds/create-pricing.ts";
export { multiplyTurns } from "./bounds/multiply-turns.ts";
export type { Pricing } from "./bounds/pricing.ts";
export { FILES_MAX, isFileName, isModule, listFiles } from "./files/list-files.ts";
export { createModuleReader, type ModuleReader } from "./files/module-reader.ts";
export { type ReadPolicy, readPolicyFile } from "./files/read-policy.ts";
export {
  POLICY_CASES_MAX,
  type PolicyCase,
  readPolicyCases,
} from "./files/read-policy-cases.ts";
export { loadForServing } from "./load-for-serving.ts";
export { loadProject, type ProjectLoading } from "./load-project.ts";
export { checkTogether } from "./loops/check-together.ts";
export { checkTools } from "./loops/check-tools.ts";
export { findLoopsFolder } from "./loops/find-loops-folder.ts";
export { findTarget, type Target } from "./loops/find-target.ts";
export { listCalled } from "./loops/list-called.ts";
export { listLoops } from "./loops/list-loops.ts";
export { listReachable } from "./loops/list-reachable.ts";
export { listUngoverned, type UngovernedTool } from "./loops/list-ungoverned.ts";
export { findSource, type LoadedLoops, loadLoops, toLoop } from "./loops/load-loops.ts";
export { loadRelease, type ReleaseLoading } from "./loops/load-release.ts";
export { type AddedServer, addServer } from "./mcp/add-server.ts";
export { MCP_FILE } from "./mcp/mcp-files.ts";
export { reviewServer, type ServerReview, writePin } from "./mcp/pin-server.ts";
export { type McpProject, readMcpProject } from "./mcp/read-mcp-project.ts";
export { findPlanTarget, type PlanSearch } from "./plan/find-plan-target.ts";
export {
  type ProjectFiles,
  type ProjectRequest,
  PURPOSES,
  type Purpose,
  readProjectFiles,
} from "./project-files.ts";
export { readAttachments } from "./read-attachments.ts";
export { readGuidance } from "./read-guidance.ts";
export { PRICES_EXAMPLE, type ReadPrices, readPrices } from "./read-prices.ts";
export { type ProviderLimitOptions, readProviderLimits } from "./read-provider-limits.ts";
export { type ReadRules, type RuleFiles, type Rules, readRules } from "./read-rules.ts";
export { listSecretNames, pickVariables, takeToolSecrets } from "./tool-secrets.ts";
