/**
 * Runs a prepared command within limits.
 *
 * 1. It is the leader of a group of its own, and the whole group is killed at its end, at its
 *    deadline and when its call is aborted.
 * 2. So is a group with too much memory.
 * 3. Output past a limit is dropped and said to be cut; a flood of it kills the group.
 */
import { FLOOD_BYTES_MAX, STREAM_BYTES_MAX } from "./limits.ts";
import type { StartableCommand } from "./sandbox.ts";
import { killGroup, startCommand, unstarted } from "./start-command.ts";
import { watchMemory } from "./watch-memory.ts";

export interface CommandEnd {
  /** Absent where a signal ended it. */
  readonly exit?: number;
  readonly signal?: string;
  /** Why the runtime killed it. */
  readonly killed?: "timeout" | "flood" | "memory" | "cancelled";
  readonly stdout: string;
  readonly stderr: string;
  /** True if output was dropped. */
  readonly isCut: boolean;
  /** What its proxy refused, each reason once. Absent without a refusal. */
  readonly refused?: readonly string[];
}

export interface CommandLimits {
  readonly stdin?: string;
  readonly runMs: number;
  readonly signal: AbortSignal;
  /** By default `GROUP_BYTES_MAX`. */
  readonly bytesMax?: number;
}

/** Throws `notDone` for a command that did not start. Its proxy ends with it. */
export async function runCommand(
  command: StartableCommand,
  limits: CommandLimits,
): Promise<CommandEnd> {
  const { proxy } = command;
  try {
    const end = await runToEnd(command, limits);
    const refused = proxy?.refusals() ?? [];
    return refused.length === 0 ? end : { ...end, refused };
  } finally {
    proxy?.close();
  }
}

async function runToEnd(
  command: StartableCommand,
  { stdin, runMs, signal, bytesMax }: CommandLimits,
): Promise<CommandEnd> {
  if (signal.aborted) command.close();
  signal.throwIfAborted();
  const child = startCommand(command, stdin !== undefined);
  let killed: CommandEnd["killed"];
  const kill = (why: NonNullable<CommandEnd["killed"]>) => {
    killed ??= why;
    killGroup(child);
  };
  const onAbort = () => kill("cancelled");
  const timer = setTimeout(() => kill("timeout"), runMs);
  const unwatch =
    child.pid === undefined ? () => {} : watchMemory(child.pid, () => kill("memory"), bytesMax);
  signal.addEventListener("abort", onAbort, { once: true });
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) =>
    collect(stream, () => kill("flood")),
  );
  // A command that does not read its input closes it.
  child.stdin?.on("error", () => {});
  child.stdin?.end(stdin);
  return new Promise((resolve, reject) => {
    // Without an id there was never a process.
    child.on("error", (error) => {
      unwatch();
      reject(child.pid === undefined ? unstarted(error) : error);
    });
    child.on("close", (exit, ended) => {
      clearTimeout(timer);
      unwatch();
      signal.removeEventListener("abort", onAbort);
      killGroup(child);
      resolve({
        ...(exit === null ? {} : { exit }),
        ...(ended === null ? {} : { signal: ended }),
        ...(killed === undefined ? {} : { killed }),
        ...{ stdout: stdout?.text() ?? "", stderr: stderr?.text() ?? "" },
        isCut: [stdout, stderr].some((stream) => stream?.isCut() === true),
      });
    });
  });
}

function collect(stream: NodeJS.ReadableStream | null | undefined, onFlood: () => void) {
  const parts: Buffer[] = [];
  let [kept, seen] = [0, 0];
  stream?.on("data", (part: Buffer) => {
    seen += part.length;
    const room = part.subarray(0, Math.max(0, STREAM_BYTES_MAX - kept));
    if (room.length > 0) parts.push(room);
    kept += room.length;
    if (seen > FLOOD_BYTES_MAX) onFlood();
  });
  return {
    isCut: () => seen > kept,
    text: () => Buffer.concat(parts).toString("utf8").toWellFormed(),
  };
}
