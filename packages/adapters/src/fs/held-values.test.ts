/**
 * Processes that share a folder, as holders in one process. One of them stops before each of its
 * file operations in turn, and goes on late. Meanwhile the others rewrite the folder, some more
 * than once.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtempSync, promises, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { holdValues } from "./held-values.ts";

const gate = { pass: async () => {} };

beforeAll(() => {
  for (const name of ["link", "mkdir", "open", "readdir", "readFile", "rename", "rm", "stat"]) {
    const files = promises as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const work = files[name] as (...given: unknown[]) => Promise<unknown>;
    vi.spyOn(files, name).mockImplementation((...given) => gate.pass().then(() => work(...given)));
  }
});
afterAll(() => {
  vi.restoreAllMocks();
});

const COMMITS_MAX = 2;
type Held = ReturnType<typeof holdValues>;

/** Stops what is done within it before one of its operations. */
function stopAt(place: number) {
  const within = new AsyncLocalStorage<true>();
  const [stopped, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let operations = 0;
  gate.pass = async () => {
    if (within.getStore() !== true || ++operations !== place) return;
    stopped.resolve();
    await released.promise;
  };
  return {
    run: (work: () => Promise<string>) => within.run(true, work),
    stopped: stopped.promise.then(() => "stopped" as const),
    release: released.resolve,
  };
}

/** Adds one to a sum that all share. */
async function addOne(held: Held): Promise<"done" | "open"> {
  for (;;) {
    await held.catchUp();
    const { body = "0", version = 0 } = held.rows.get("sum") ?? {};
    const change = { key: "sum", body: String(Number(body) + 1), version };
    try {
      if ((await held.commit({ changes: [change] })).kind === "done") return "done";
    } catch (error) {
      // It was late by a whole generation: its result has to be read.
      expect(error).toMatchObject({ code: "STORE_UNREACHABLE" });
      return "open";
    }
  }
}

/** Reads so many of the changes that were made while another process was stopped. */
async function bringLate(place: number, behindAfter: number) {
  const root = mkdtempSync(join(tmpdir(), "turnseal-held-"));
  const folders = { generations: join(root, "values"), drafts: join(root, "drafts") };
  const open = () => holdValues(folders, COMMITS_MAX);
  const [slow, quick, behind] = [open(), open(), open()];
  const answers: string[] = [];
  for (let adds = 0; adds < COMMITS_MAX; adds++) answers.push(await addOne(quick));
  const { run, stopped, release } = stopAt(place);
  const late = run(() => addOne(slow));
  const wasStopped = (await Promise.race([stopped, late])) === "stopped";
  for (let adds = 0; adds < 2 * COMMITS_MAX + 1; adds++) {
    answers.push(await addOne(quick));
    if (adds === behindAfter) await behind.catchUp();
  }
  release();
  answers.push(await late, await addOne(behind));
  const reader = open();
  await reader.catchUp();
  const sum = Number(reader.rows.get("sum")?.body);
  const done = answers.filter((answer) => answer === "done").length;
  const left = readdirSync(folders.generations).filter((name) => name !== "first.json");
  const drafts = readdirSync(folders.drafts);
  rmSync(root, { recursive: true });
  return { wasStopped, sum, done, open: answers.length - done, left, drafts };
}

test("no answered write is lost, wherever a process is late", async () => {
  const opened = new Set<number>();
  for (const behindAfter of [0, COMMITS_MAX]) {
    let isOver = false;
    for (let place = 1; !isOver; place++) {
      const late = await bringLate(place, behindAfter);
      const at = `stopped at ${place}, behind after ${behindAfter}`;
      expect(late.sum, at).toBeGreaterThanOrEqual(late.done);
      expect(late.sum, at).toBeLessThanOrEqual(late.done + late.open);
      expect(late.left, at).toHaveLength(1);
      expect(late.drafts, at).toEqual([]);
      if (late.open > 0) opened.add(place);
      isOver = !late.wasStopped;
      if (isOver) expect(place).toBeGreaterThan(20);
    }
  }
  // Only between its commit and the answer to it.
  expect(opened.size).toBeLessThanOrEqual(2);
}, 240_000);
