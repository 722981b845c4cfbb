export { deployWorker } from "../deploy/deploy-release.ts";
export { type LivePlace, type OpenedLive, openLive } from "./open-live.ts";
export { type Repaired, repairRuns } from "./repair-runs.ts";
export { repairTenant } from "./repair-tenant.ts";
export { startWorker, type Worker } from "./start-worker.ts";
export { findHosts } from "./tenants/find-hosts.ts";
export { hearStrays, type Strays } from "./watch/hear-strays.ts";
export { STALLED_EXIT_CODE } from "./watch/stall-thread.ts";
export { createWorkerLog, type WorkerLog } from "./worker-log.ts";

export type { WorkerOptions } from "./worker-options.ts";
