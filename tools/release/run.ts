import { spawnSync } from "node:child_process";

/**
 * Runs a program and answers with what it printed; throws with all of it when the program fails.
 */
export function run(command: readonly [string, ...string[]], folder: string): string {
  const [program, ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 << 20,
    // On Windows the programs of npm are scripts, which only a shell can start.
    shell: process.platform === "win32",
  });
  if (status === 0) return stdout;
  const reason = error?.message ?? `exit code ${status}`;
  throw new Error(`${command.join(" ")} failed in ${folder}: ${reason}\n${stdout}${stderr}`);
}
