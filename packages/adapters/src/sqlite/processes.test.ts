/** Several processes at one file. The others are real ones, started from source. */
import { checkChain, EMPTY_HEAD } from "@turnseal/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { cleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";
import { SAMPLE_RUN, startWorker, type Worked } from "./start-worker.test.data.ts";

afterEach(cleanUp);

// Each process takes a second or more to start on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const ROUNDS = 60;

test("two processes that write one run never write the same sequence number", async () => {
  const file = scratchFile();
  const workers = ["ada", "grace"].map((name) =>
    startWorker({ what: "contend", file, name, count: ROUNDS }),
  );
  const codes = await Promise.all(workers.map(({ ended }) => ended));
  expect(codes).toEqual([0, 0]);
  const said = workers.flatMap(({ lines }) => lines);
  const appended = said.filter(({ did }) => did === "appended").map(sequenceOf);
  const stored = said.filter(({ did }) => did === "stored").map(sequenceOf);
  const { log } = openScratch({ file });
  const events = await log.read(SAMPLE_RUN, 1);
  // Each of them won at times, and the loser was fenced, or the test has not tried anything.
  for (const { lines } of workers) expect(count(lines, "appended")).toBeGreaterThan(0);
  expect(count(said, "appended") + count(said, "fenced") + count(said, "conflict")).toBe(
    2 * ROUNDS,
  );
  expect(count(said, "fenced")).toBeGreaterThan(0);
  expect(appended.toSorted((a, b) => a - b)).toEqual(events.map(({ sequence }) => sequence));
  expect(checkChain(SAMPLE_RUN, EMPTY_HEAD, events).kind).toBe("intact");
  // Both sent the same messages: each arrived once.
  expect(stored.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ROUNDS }, (_, at) => at));
  expect(count(said, "known")).toBe(ROUNDS);
});

test("a reader notices the row of another process, also after it found nothing", async () => {
  const file = scratchFile();
  const { inbox } = openScratch({ file });
  expect(await inbox.peek(SAMPLE_RUN)).toEqual([]);
  expect(await inbox.peek(SAMPLE_RUN)).toEqual([]);
  for (const [index, name] of ["first", "second"].entries()) {
    expect(await startWorker({ what: "put", file, name }).ended).toBe(0);
    const rows = await inbox.peek(SAMPLE_RUN);
    expect(rows.map(({ key }) => key)).toEqual(["first", "second"].slice(0, index + 1));
  }
});

test("processes that open a new file at once all get the same one", async () => {
  const file = scratchFile();
  const workers = ["a", "b", "c", "d"].map((name) => startWorker({ what: "put", file, name }));
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  const rows = await openScratch({ file }).inbox.peek(SAMPLE_RUN);
  expect(rows.map(({ key }) => key).sort()).toEqual(["a", "b", "c", "d"]);
});

test("a writer that is killed again and again loses nothing that was answered", async () => {
  const file = scratchFile();
  const kills = 5;
  let answered = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const worker = startWorker({ what: "append", file, name: `kill ${kill}` });
    await worker.heard(3 + kill * 7);
    worker.process.kill("SIGKILL");
    expect(await worker.ended).toBe(null);
    expect(worker.lines.every(({ did }) => did === "opened" || did === "appended")).toBe(true);
    const last = Math.max(...worker.lines.map(sequenceOf));
    expect(last).toBeGreaterThan(answered);
    answered = last;
    const stores = openScratch({ file });
    const { sequence, hash, epoch } = (await stores.log.readHead(SAMPLE_RUN)) ?? EMPTY_EPOCH;
    const events = await stores.log.read(SAMPLE_RUN, 1);
    expect(sequence).toBeGreaterThanOrEqual(answered);
    // Three events were one append: no part of one is ever there.
    expect(sequence % 3).toBe(0);
    expect(epoch).toBe(kill);
    expect(checkChain(SAMPLE_RUN, EMPTY_HEAD, events)).toEqual({
      kind: "intact",
      head: { sequence, hash },
    });
    answered = sequence;
    stores.close();
  }
});

const EMPTY_EPOCH = { ...EMPTY_HEAD, epoch: 0 };

function sequenceOf({ sequence }: Worked): number {
  return sequence;
}

function count(lines: readonly Worked[], did: string): number {
  return lines.filter((line) => line.did === did).length;
}
