import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onCleanUp } from "./scratch-file.test.data.ts";

export const SAMPLE_RUN = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

/** One thing that a worker has done. */
export interface Worked {
  readonly did: string;
  readonly sequence: number;
}

export interface Worker {
  readonly process: ChildProcess;
  /** The lines it has written so far. */
  readonly lines: readonly Worked[];
  /** Resolves when it has ended, however it ended. */
  readonly ended: Promise<number | null>;
  /** Resolves when it has said so many lines. */
  heard(count: number): Promise<void>;
}

export interface WorkerTask {
  readonly what: "append" | "contend" | "put" | "open";
  readonly file: string;
  readonly name?: string;
  readonly count?: number;
}

/** Starts another process at the same file; it is gone when the test is over. */
export function startWorker({ what, file, name = "", count = 0 }: WorkerTask): Worker {
  const program = fileURLToPath(new URL("./worker.test.process.ts", import.meta.url));
  const options = ["--conditions=turnseal-source", program, what, file, name, String(count)];
  const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
  onCleanUp(() => void child.kill("SIGKILL"));
  const lines: Worked[] = [];
  const waiting = new Set<() => void>();
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  createInterface({ input: child.stdout }).on("line", (line) => {
    // A killed process may leave half a line, which does not count.
    if (line.endsWith("}")) lines.push(JSON.parse(line) as Worked);
    for (const look of waiting) look();
  });
  const heard = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (lines.length >= wanted) resolve();
      };
      waiting.add(look);
      void ended.then(() => reject(new Error(`it ended after ${lines.length} lines`)));
      look();
    });
  return { process: child, lines, ended, heard };
}
