/**
 * The memory that large things take: a blob of 100 MB, and a thousand calls and runs at once. Each
 * is done in a process of its own, and its peak is held against what we state.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type MemoryWork, statedMemory } from "./memory-work.ts";
import type { Benchmark, Figure } from "./report.ts";

const MB = 1_000_000;
const worker = fileURLToPath(new URL("memory-worker.ts", import.meta.url));

export const benchMemory: Benchmark = async () =>
  (Object.keys(statedMemory) as MemoryWork[]).map(describeWork);

function describeWork(name: MemoryWork): Figure {
  const { size, bytesMax } = statedMemory[name];
  return {
    name,
    columns: { "peak MB": measureWork(name, size) / MB },
    goal: { column: "peak MB", atMost: bytesMax / MB },
  };
}

/** By how many bytes the resident memory of a process grows that does the work. */
export function measureWork(name: MemoryWork, size: number): number {
  const hooks = ["--expose-gc", "--conditions=turnseal-source"];
  const { stdout, stderr } = spawnSync(process.execPath, [...hooks, worker, name, String(size)], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`${name} did not come to its end: ${stderr}`);
  return (JSON.parse(stdout) as { readonly grownBytes: number }).grownBytes;
}
