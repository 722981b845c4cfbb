export { findRunRoots } from "./find-run-roots.ts";
export {
  findRunTarget,
  type NotedLoops,
  type RunTargetSearch,
  readNotedLoops,
  type UnusableTarget,
} from "./find-run-target.ts";
export { type HostExtras, type HostOpening, openHost } from "./open-host.ts";
export { openLoops } from "./open-loops.ts";
export { createRuns, openRuns, openTenantRuns } from "./open-runs.ts";
export { readPricesFor, readPricesOf } from "./read-prices-of.ts";
export { readRulesOfToday } from "./read-rules-of-today.ts";
export {
  type FamilyParts,
  type FamilyVerdict,
  isUnsealed,
  isWrong,
  LOOKS_MAX,
  verifyFamily,
} from "./verify-family.ts";
