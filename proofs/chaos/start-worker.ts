import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a worker is told. */
export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly outsideUrl: string;
  /** What its tools say of their own code. */
  readonly build: string;
  /** The engines that it listens to; without any, whoever asks. */
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

const program = fileURLToPath(new URL("worker.ts", import.meta.url));
const root = new URL("../../", import.meta.url);

/** Starts a worker, with more arguments of node if need be, and waits until it serves. */
export async function startWorker(
  settings: WorkerSettings,
  hooks: readonly string[] = [],
): Promise<WorkerProcess> {
  const child = fork(program, [JSON.stringify(settings)], {
    execArgv: ["--conditions=turnseal-source", ...hooks],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/turnseal-crash", root)),
    },
  });
  await new Promise<void>((resume, fail) => {
    child.once("message", () => resume());
    child.once("exit", (code) => fail(new Error(`the worker did not start: ${code}`)));
  });
  return {
    pid: child.pid ?? 0,
    signal: (signal) => {
      child.kill(signal);
    },
    kill: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resume) => child.once("exit", resume));
  child.kill("SIGKILL");
  await ended;
}
