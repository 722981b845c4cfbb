/** Records the process that works in a folder, so that the next one finds it. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readProcessStart } from "@turnseal/adapters/fs";

/** Notes a process. The file `pid` holds only its id, so that a person can end it by hand. */
export async function noteProcess(folder: string, pid: number): Promise<void> {
  await writeFile(join(folder, "pid-start"), readProcessStart(pid) ?? "");
  await writeFile(join(folder, "pid"), `${pid}\n`);
}

export async function forgetProcess(folder: string): Promise<void> {
  await rm(join(folder, "pid"), { force: true });
  await rm(join(folder, "pid-start"), { force: true });
}

/** The process that was noted, if it still runs: an id alone may be a stranger's by now. */
export async function findProcess(folder: string): Promise<number | undefined> {
  const read = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
  const pid = Number.parseInt(await read("pid"), 10);
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  const start = readProcessStart(pid);
  return start !== undefined && start === (await read("pid-start")) ? pid : undefined;
}

const LOOK_MS = 50;

/** Ends a process in order, and answers when it is gone. */
export async function endProcess(pid: number, maxMs: number): Promise<void> {
  const start = readProcessStart(pid);
  const isThere = (): boolean => start !== undefined && readProcessStart(pid) === start;
  if (isThere()) process.kill(pid, "SIGTERM");
  for (let waitedMs = 0; isThere() && waitedMs < maxMs; waitedMs += LOOK_MS)
    await new Promise((resume) => setTimeout(resume, LOOK_MS));
  if (isThere()) process.kill(pid, "SIGKILL");
}
