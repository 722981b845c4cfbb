/**
 * Drives a run in a process of its own, which goes on when this one has ended.
 *
 * The child's environment holds no secret of signing or of tools. It gets its secrets once, on its
 * standard input, and keeps them in memory alone.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { invariant } from "@turnseal/protocol";
import { type StoreFolder, takeSigningSecrets } from "@turnseal/runtime/folder";
import { pickVariables } from "@turnseal/runtime/project";
import { PACKAGE_ROOT } from "../../package-root.ts";

export interface DetachedStart {
  readonly run: string;
  readonly folder: StoreFolder;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables that only tools get. */
  readonly secretNames: readonly string[];
  /** Options of `resume` that it is started with besides. */
  readonly flags?: readonly string[];
}

const LOOK_MS = 25;
/** Where a machine is slower than that, the process goes on all the same. */
const LOOKS_MAX = 400;

/** Starts the process and waits until it executes the run. Its output goes to a log. */
export async function startDetached(start: DetachedStart) {
  const { run, folder, environment, secretNames, flags = [] } = start;
  await mkdir(join(folder.path, "logs"), { recursive: true });
  const log = join(folder.path, "logs", `${run}.log`);
  const output = await open(log, "a", 0o600);
  const { secrets, rest } = takeSigningSecrets(environment);
  const toolSecrets = pickVariables(secretNames, environment);
  const inherited = Object.entries(rest).filter(([name]) => !Object.hasOwn(toolSecrets, name));
  const program = fileURLToPath(new URL("bin/turnseal.js", PACKAGE_ROOT));
  const args = [program, "resume", run, "--store", folder.path, ...flags, "--background"];
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["pipe", output.fd, output.fd],
    env: Object.fromEntries(inherited),
  });
  await output.close();
  await giveSecrets(child, { ...secrets, ...toolSecrets });
  child.unref();
  invariant(child.pid !== undefined, "a process that was started has an id");
  await untilExecuting(child, { run, folder });
  return { pid: child.pid, log };
}

/**
 * Waits until the process holds the run, so that it can be found at once; or until the process has
 * ended.
 */
async function untilExecuting(
  child: ChildProcess,
  { run, folder }: Pick<DetachedStart, "run" | "folder">,
): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if ((await folder.stores.leases.read(run))?.pid === child.pid) return;
    await sleep(LOOK_MS);
  }
}

async function giveSecrets({ stdin }: ChildProcess, secrets: object): Promise<void> {
  if (stdin === null) return;
  // A child that ended before it has read them needs them no more.
  stdin.on("error", () => {});
  stdin.end(JSON.stringify(secrets));
  await new Promise((done) => stdin.once("close", done));
}
