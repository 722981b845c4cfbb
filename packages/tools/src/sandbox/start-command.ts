/** Starts a prepared command as the leader of a group of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Writable } from "node:stream";
import { notDone } from "@turnseal/protocol/authoring";
import { listInherited } from "./list-inherited.ts";
import type { StartableCommand } from "./sandbox.ts";

/** Its output is piped, and its input if it has one. Throws `notDone` where it does not start. */
export function startCommand(command: StartableCommand, hasInput: boolean): ChildProcess {
  const { file, args, env, startIn: cwd, passed, settings, user } = command;
  const nothing = openSync("/dev/null", "r");
  try {
    const stdio: (number | "ignore" | "pipe")[] = [hasInput ? "pipe" : "ignore", "pipe", "pipe"];
    stdio.push(...passed, ...(settings === undefined ? [] : (["pipe"] as const)));
    // Nothing in Node closes them in a child, so that each is covered.
    for (const inherited of listInherited()) {
      if (inherited < stdio.length) continue;
      while (stdio.length < inherited) stdio.push("ignore");
      stdio.push(nothing);
    }
    const child = spawn(file, args, { ...{ cwd, env, detached: true, stdio }, ...user });
    if (settings !== undefined) sendSettings(child, 3 + passed.length, settings);
    return child;
  } catch (error) {
    throw unstarted(error);
  } finally {
    closeSync(nothing);
    command.close();
  }
}

/** By a file and not by arguments: those of a process are shown to every user of the machine. */
function sendSettings(child: ChildProcess, file: number, settings: string): void {
  const stream = child.stdio[file] as Writable | null | undefined;
  // A program that ended early has closed it.
  stream?.on("error", () => {});
  stream?.end(settings);
}

/** The error of a command of which there was never a process. */
export function unstarted(error: unknown): Error {
  const { code = "unknown" } = error as NodeJS.ErrnoException;
  const why = code === "E2BIG" ? "its arguments are too long" : code;
  return notDone(`the command could not be started: ${why}`);
}

/** Kills what is left of the group. Where nothing is, there is nothing to do. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {}
}
