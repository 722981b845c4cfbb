import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Job, Report } from "./worker-messages.ts";

const program = fileURLToPath(new URL("worker.ts", import.meta.url));
const root = new URL("../../", import.meta.url);

export interface WorkerOptions {
  /** The file of the store. */
  readonly file: string;
  /** The address of the outside world. */
  readonly url: string;
  /** More arguments of node, before the program. */
  readonly hooks?: readonly string[];
}

export type Advance = Report | { readonly kind: "killed" };

export interface CrashWorker {
  readonly pid: number;
  /** Gives the worker a job and waits until it reports or is dead. */
  advance(job: Job): Promise<Advance>;
  signal(signal: "SIGKILL" | "SIGCONT"): void;
  /** Kills the worker and waits until it is gone. */
  end(): Promise<void>;
  isAlive(): boolean;
}

/** Starts a worker and waits until it can take a job. */
export async function startWorker({ file, url, hooks = [] }: WorkerOptions): Promise<CrashWorker> {
  const child = fork(program, [file, url], {
    execArgv: ["--conditions=turnseal-source", ...hooks],
    env: {
      ...process.env,
      // Most of a worker's life goes into reading the same sources.
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/turnseal-crash", root)),
      NODE_OPTIONS: "",
    },
  });
  // A message to a worker that has just died is lost; its exit says so.
  child.on("error", () => {});
  const started = await nextReport(child);
  if (started.kind !== "ready") throw new Error("the worker did not start");
  return {
    pid: child.pid ?? 0,
    advance: (job) => {
      if (child.exitCode !== null || child.signalCode !== null)
        return Promise.resolve({ kind: "killed" });
      const reported = nextReport(child);
      child.send(job, () => {});
      return reported;
    },
    signal: (signal) => {
      child.kill(signal);
    },
    end: async () => {
      const exited = nextReport(child);
      child.kill("SIGKILL");
      await exited;
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
  };
}

function nextReport(child: ChildProcess): Promise<Advance> {
  return new Promise((resolve) => {
    const settle = (report: Advance): void => {
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(report);
    };
    const onMessage = (report: Report): void => settle(report);
    const onExit = (): void => settle({ kind: "killed" });
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
