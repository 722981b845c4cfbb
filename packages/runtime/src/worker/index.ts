export { hearStrays, type Strays } from "./hear-strays.ts";
export { type LivePlace, type OpenedLive, openLive } from "./open-live.ts";
export { type Repaired, repairRuns } from "./repair-runs.ts";
export { startWorker, type Worker, type WorkerOptions } from "./start-worker.ts";
export { createWorkerLog, type WorkerLog } from "./worker-log.ts";
