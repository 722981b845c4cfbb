export { type LivePlace, type OpenedLive, openLive } from "./open-live.ts";
export { type Repaired, repairRuns } from "./repair-runs.ts";
export { startWorker, type Worker } from "./start-worker.ts";
export { createWorkerLog } from "./worker-log.ts";
