import { killProcess, startProcess, untilReady } from "../kit/processes.ts";

/** The settings of a worker. */
export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly outsideUrl: string;
  /** What its tools say of their own code. */
  readonly build: string;
  /** The engines that it listens to; without any, every caller. */
  readonly identityKeys: readonly string[];
  readonly port: number;
  readonly connectionsMax: number;
  readonly hasStandby: boolean;
  /** How long one message goes on starting turns; with 0 every turn is a message. */
  readonly sliceMs: number;
  readonly actionMaxMs: number;
}

export interface WorkerProcess {
  readonly pid: number;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Kills it and waits until it is gone. */
  kill(): Promise<void>;
}

const program = new URL("worker.ts", import.meta.url);

/** Starts a worker, with more arguments of node if need be, and waits until it serves. */
export async function startWorker(
  settings: WorkerSettings,
  hooks: readonly string[] = [],
): Promise<WorkerProcess> {
  const child = startProcess(program, [JSON.stringify(settings)], hooks);
  await untilReady(child);
  return {
    pid: child.pid ?? 0,
    signal: (signal) => {
      child.kill(signal);
    },
    kill: () => killProcess(child),
  };
}
