/**
 * A bound for the memory of all processes of a command together. The kernel has one only for those
 * who may write to cgroups, so that this process measures instead.
 *
 * 1. A first sum counts a page that processes share once for each of them. Only where it is too
 *    high, the exact one is read, which costs more.
 * 2. Between two measurements a command can pass the bound: the limits of each process hold then.
 */
import { readdirSync, readFileSync } from "node:fs";
import { GROUP_BYTES_MAX, MEMORY_WATCH_MS } from "./limits.ts";

const KIB = 1024;

/** Calls `onFull` once, when the family of the process has more. Returns the end of the watch. */
export function watchMemory(
  pid: number,
  onFull: () => void,
  bytesMax: number = GROUP_BYTES_MAX,
): () => void {
  const timer = setInterval(() => {
    const family = listFamily(pid);
    if (sumOf(family, readFirst) <= bytesMax || sumOf(family, readExact) <= bytesMax) return;
    clearInterval(timer);
    onFull();
  }, MEMORY_WATCH_MS);
  // A watch alone holds no process open.
  timer.unref();
  return () => clearInterval(timer);
}

/** The process and all that it started. In a sandbox none can leave this family. */
export function listFamily(pid: number): number[] {
  const family = [pid];
  for (const each of family) family.push(...listChildren(each));
  return family;
}

function listChildren(pid: number): number[] {
  return listTasks(pid).flatMap((task) => {
    const listed = readIfThere(`/proc/${pid}/task/${task}/children`) ?? "";
    return listed.split(" ").filter(Boolean).map(Number);
  });
}

function listTasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function sumOf(family: readonly number[], read: (pid: number) => number): number {
  return family.reduce((sum, pid) => sum + read(pid), 0);
}

/** Memory that is no file's, and what of it is swapped out. */
function readFirst(pid: number): number {
  const status = readIfThere(`/proc/${pid}/status`) ?? "";
  return readKib(status, "RssAnon") + readKib(status, "VmSwap");
}

/** Its share of each page. Where that is not readable, the first measure counts. */
function readExact(pid: number): number {
  const exact = readIfThere(`/proc/${pid}/smaps_rollup`);
  if (exact === undefined) return readFirst(pid);
  return readKib(exact, "Pss_Anon") + readKib(exact, "SwapPss");
}

function readKib(text: string, name: string): number {
  return KIB * Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
}

/** A process that has ended meanwhile has nothing. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
