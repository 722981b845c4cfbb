// Apart from the rest: its types need the libraries of an engine, which other users need not
// install.
export {
  createWorkerLog,
  deployWorker,
  startWorker,
  type WorkerOptions,
} from "@turnseal/operate/worker";
