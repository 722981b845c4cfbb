/** Processes of proofs: started from source, waited for, and killed. */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// Most of a process's life goes into reading the same sources.
const cache = fileURLToPath(new URL("../../node_modules/.cache/turnseal-crash", import.meta.url));

/** Starts a program of ours that sends messages. Hooks are more arguments of node. */
export function startProcess(
  program: string | URL,
  args: readonly string[],
  hooks: readonly string[] = [],
): ChildProcess {
  return fork(program, args, {
    execArgv: ["--conditions=turnseal-source", ...hooks],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: "" },
  });
}

/** Waits for the first message of a process, which says that it serves. */
export function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`a process did not start: ${code}`)));
  });
}

/** True if it has not ended. */
export function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Kills a process, and waits until it is gone. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** Runs a bundled program until it ends or kills itself; answers with its output. */
export function runProcess(program: string, args: readonly string[]) {
  const { stdout, signal } = spawnSync(process.execPath, [program, ...args], {
    ...{ encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  });
  return { said: stdout.trim(), isKilled: signal === "SIGKILL" };
}
