/** Starts the program of a server in its sandbox. */
import type { ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { notDone } from "@turnseal/protocol/authoring";
import { bubblewrap, startCommand, unsandboxed, unstarted } from "@turnseal/tools";
import type { McpProgram } from "../config/server-config.ts";
import { listCode } from "../pins/identify-server.ts";

export interface ProgramPlace {
  readonly folder: string;
  /** Removes what was made for this start alone. */
  remove(): void;
}

/** The folder that a program sees: the named one, or an empty one of its own. */
export function openPlace({ folder }: McpProgram): ProgramPlace {
  if (folder !== undefined) {
    if (!existsSync(folder)) throw notDone(`the folder ${folder} of the server is not there`);
    return { folder: realpathSync(folder), remove: () => {} };
  }
  const made = realpathSync(mkdtempSync(join(tmpdir(), "turnseal-mcp-")));
  // It runs under another account, where this process is root.
  chmodSync(made, 0o755);
  return { folder: made, remove: () => removeFolder(made) };
}

/** Also at the exit of this process, where a killed program may still write to it. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It stays in the folder for temporary files.
  }
}

/** `env` is all of its environment but for the few variables that every command has. */
export async function startProgram(
  config: McpProgram,
  { folder }: ProgramPlace,
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const { profile = "read-only", readable = [] } = config;
  const isNode = config.command[0] === "node";
  const node = isNode ? [dirname(realpathSync(process.execPath))] : [];
  // Files of code in the command may be read. Others that the program loads are `readable`.
  const named = listCode(config.command).map((path) => resolve(path));
  const folders = [...named.filter(existsSync), ...readable.map((path) => resolve(path)), ...node];
  const missing = folders.find((path) => !existsSync(path));
  if (missing !== undefined) throw notDone(`${missing}, which the server may read, is not there`);
  const sandbox = profile === "unrestricted" ? unsandboxed() : bubblewrap({ readable: folders });
  const argv = listArguments(config.command);
  const prepared = await sandbox.prepare({ argv, folder, startIn: "", profile, env });
  if (prepared.kind === "refused") throw notDone(prepared.why);
  const child = startCommand(prepared, true);
  child.on("error", () => {});
  if (child.pid === undefined) throw unstarted(await failureOf(child));
  return child;
}

/** The arguments as the program gets them. */
export function listArguments([program = "", ...rest]: readonly string[]): string[] {
  const first = program === "node" ? realpathSync(process.execPath) : toPath(program);
  return [first, ...rest.map(toPath)];
}

function toPath(argument: string): string {
  return argument.startsWith("./") ? resolve(argument) : argument;
}

function failureOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolveFailure) => child.once("error", resolveFailure));
}
