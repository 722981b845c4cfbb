import type { ChildProcess } from "node:child_process";
import { isAlive, killProcess, startProcess } from "../kit/processes.ts";
import type { Stage } from "./stage.ts";
import type { Job, Report } from "./worker-messages.ts";

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

/**
 * Starts a worker and waits until it can take a job. Hooks are more arguments of node, before the
 * program.
 */
export async function startWorker(
  { program, file, world }: Stage,
  hooks: readonly string[] = [],
): Promise<CrashWorker> {
  const child = startProcess(program, [file, world.url], hooks);
  // A message to a worker that has just died is lost; its exit says so.
  child.on("error", () => {});
  const started = await nextReport(child);
  if (started.kind !== "ready") throw new Error("the worker did not start");
  return {
    pid: child.pid ?? 0,
    advance: (job) => {
      if (!isAlive(child)) return Promise.resolve({ kind: "killed" });
      const reported = nextReport(child);
      child.send(job, () => {});
      return reported;
    },
    signal: (signal) => {
      child.kill(signal);
    },
    end: () => killProcess(child),
    isAlive: () => isAlive(child),
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
