// Apart from the rest: its types need the libraries of an engine, which nobody else has to install.
export {
  createWorkerLog,
  deployWorker,
  startWorker,
  type Worker,
  type WorkerLog,
  type WorkerOptions,
} from "@turnseal/runtime/worker";
