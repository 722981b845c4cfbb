/**
 * A process that does one large thing, and says by how much its memory has grown at most:
 * `memory-worker.ts <work> <size>`.
 */
import { randomFillSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { bindTools, createExecutor, createRegistry } from "@turnseal/kernel";
import { memoryStores, randomIds, type Stores, systemClock } from "@turnseal/ports";
import { hmacSha256Hex, invariant } from "@turnseal/protocol";
import type { MemoryWork } from "./memory-work.ts";
import { createSampleHost, createSigner, startSampleRun } from "./sample-turn.ts";

const RUN = "3d6f0a1b-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

const [name = "", size = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "turnseal-memory-"));

const works: Record<MemoryWork, (size: number) => Promise<void>> = {
  "blob, memory": (bytes) => keepBlob(memoryStores(systemClock), bytes),
  "blob, SQLite": async (bytes) => {
    const stores = sqliteStores({ file: join(folder, "blob.db") });
    await keepBlob(stores, bytes);
    stores.close();
  },
  "calls at once": callAtOnce,
  "runs at once": async (count) => {
    const stores = sqliteStores({ file: join(folder, "runs.db") });
    await runAtOnce(stores, count);
    stores.close();
  },
};

/**
 * The most that this process had in memory. `maxRSS` could be that of the parent process, if that
 * was more.
 */
function readPeak(): number {
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  invariant(kilobytes !== undefined, "the system says what a process had in memory");
  return Number(kilobytes) * 1024;
}

/** Puts a blob and reads it back, as the log would. */
async function keepBlob({ blobs }: Stores, bytes: number): Promise<void> {
  const content = randomFillSync(new Uint8Array(bytes));
  const key = new Uint8Array(32).fill(1);
  const digest = `hmac-sha256:${hmacSha256Hex(key, content)}` as const;
  await blobs.put(RUN, { digest, size: bytes, mediaType: "text/plain", bytes: content });
  const read = await blobs.read(RUN, digest);
  invariant(read !== undefined, "the blob is there");
  invariant(`hmac-sha256:${hmacSha256Hex(key, read)}` === digest, "the blob is what it was");
}

/** Calls of a tool that wait for each other: all are open at the same moment. */
async function callAtOnce(count: number): Promise<void> {
  const registry = createRegistry();
  registry.register({
    id: "meet",
    name: "Meet",
    version: "1.0.0",
    kind: "tool",
    inputSchema: { type: "object" },
    outputSchema: { type: "object" },
    tool: { implementation: "local.meet" },
  });
  let waiting = 0;
  let open = (): void => {};
  const everybody = new Promise<void>((resolve) => {
    open = resolve;
  });
  const meet = async () => {
    waiting += 1;
    if (waiting === count) open();
    await everybody;
    return { together: waiting };
  };
  const tools = bindTools({ "local.meet": meet });
  const executor = createExecutor({ registry, clock: systemClock, ids: randomIds, tools });
  const calls = Array.from({ length: count }, (_, index) => executor.call("meet", { index }));
  for (const { status } of await Promise.all(calls)) invariant(status === "ok", "a call goes well");
  invariant(waiting === count, "every call waited for the others");
}

/** Runs of one turn each, with a model round and a tool call, carried at the same time. */
async function runAtOnce(stores: Stores, count: number): Promise<void> {
  const host = createSampleHost(stores, createSigner());
  const carry = async (): Promise<void> => {
    const run = await startSampleRun(host, 1);
    const { dues } = await host.advance(run);
    invariant(dues.kind === "done", "the run is over");
  };
  await Promise.all(Array.from({ length: count }, carry));
}

const work = (works as Record<string, (size: number) => Promise<void>>)[name];
invariant(work !== undefined, `there is no work called ${name}`);
try {
  // The first time loads and compiles: that is the ground that growth is measured from.
  await work(1);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  await work(Number(size));
  const grownBytes = readPeak() - before;
  process.stdout.write(JSON.stringify({ grownBytes }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
