// Memory of all processes of a command, in a real sandbox where processes leave their group.
import { chmodSync, chownSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace } from "../agent-desk.test.data.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { GROUP_BYTES_MAX, MEMORY_WATCH_MS, PROCESS_BYTES_MAX } from "./limits.ts";
import { runCommand } from "./run-command.ts";
import { listFamily } from "./watch-memory.ts";

const OWNER = 65_531;
const MIB = 1024 * 1024;
let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
  chmodSync(join(place.folder, ".."), 0o755);
  if (process.getuid?.() === 0) chownSync(place.folder, OWNER, OWNER);
});
afterEach(() => place.remove());

async function run(line: string, bytesMax?: number) {
  const command = { argv: ["/bin/sh", "-c", line], folder: place.folder, startIn: "", env: {} };
  const prepared = await bubblewrap().prepare({ ...command, profile: "read-only" });
  if (prepared.kind === "refused") throw new Error(prepared.why);
  const { signal } = new AbortController();
  const began = performance.now();
  const limits = { runMs: 10_000, signal, ...(bytesMax === undefined ? {} : { bytesMax }) };
  return { ...(await runCommand(prepared, limits)), ms: performance.now() - began };
}

/** So many processes, each in a session of its own and with so many MiB that it wrote to. */
const hold = (count: number, mib: number, seconds: number) =>
  `for i in $(seq ${count}); do setsid python3 -c 'import time; b = b"x" * (${mib} << 20); time.sleep(${seconds})' & done; wait`;

test("one process within the bound, and several that are within it together", async () => {
  expect(await run(hold(1, 50, 1), 200 * MIB)).toMatchObject({ exit: 0 });
  expect(await run(hold(3, 30, 1), 200 * MIB)).toMatchObject({ exit: 0 });
});

test("several that pass it together are killed, each within the limit of a process", async () => {
  const end = await run(hold(4, 80, 8), 200 * MIB);
  expect(end).toMatchObject({ killed: "memory" });
  expect(end.ms).toBeLessThan(8_000);
});

test("memory that processes share counts once", async () => {
  const fork = `python3 -c '
import os, time
b = bytearray(120 << 20)
for i in range(0, len(b), 4096): b[i] = 1
for i in range(4):
  if os.fork() == 0: time.sleep(1.5); os._exit(0)
time.sleep(1.5)'`;
  expect(await run(fork, 300 * MIB)).toMatchObject({ exit: 0 });
});

test("the bound is GROUP_BYTES_MAX, which one process cannot reach, every MEMORY_WATCH_MS", () => {
  expect(GROUP_BYTES_MAX).toBeGreaterThan(PROCESS_BYTES_MAX);
  expect(MEMORY_WATCH_MS).toBeLessThan(1_000);
  expect(listFamily(process.pid)[0]).toBe(process.pid);
  expect(listFamily(2 ** 30)).toEqual([2 ** 30]);
});
