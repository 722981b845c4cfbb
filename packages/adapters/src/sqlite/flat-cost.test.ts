/**
 * A rough check that an append costs the same when the log is long. The benchmark measures it in
 * earnest.
 */
import { headAfter, sampleAppend, sampleBlob, sampleReceipt } from "@turnseal/ports/contracts";
import { EMPTY_HEAD, type Head } from "@turnseal/protocol";
import { afterEach, expect, test } from "vitest";
import { cleanUp, openScratch } from "./scratch-file.test.data.ts";
import type { SqliteStores } from "./sqlite-stores.ts";
import { SAMPLE_RUN } from "./start-worker.test.data.ts";

afterEach(cleanUp);

const TURNS = 10_000;
const EVENTS_PER_TURN = 10;
const WINDOW = 200;

test("an append costs the same after ten thousand turns as before", async () => {
  const stores = openScratch();
  const { epoch } = await stores.log.takeEpoch(SAMPLE_RUN);
  const early = await measure(stores, { epoch, after: EMPTY_HEAD, turn: 1 });
  let { after } = early;
  // The turns between are written many at a time: how long they take is not the question.
  for (let turn = 0; turn < TURNS; turn += 100) {
    const blobs = Array.from({ length: 100 }, (_, at) => sampleBlob(`between ${turn + at}`));
    const append = sampleAppend({ epoch, after, count: 100 * EVENTS_PER_TURN }, { blobs });
    await stores.log.append(append);
    after = headAfter(append);
  }
  const late = await measure(stores, { epoch, after, turn: TURNS });
  expect(late.after.sequence).toBeGreaterThan(TURNS * EVENTS_PER_TURN);
  const ratio = late.quickMs / early.quickMs;
  expect(ratio, `${early.quickMs} ms early, ${late.quickMs} ms late`).toBeLessThan(2.5);
}, 120_000);

interface Position {
  readonly epoch: number;
  readonly after: Head;
  readonly turn: number;
}

async function measure(
  { log, inbox }: SqliteStores,
  { epoch, after, turn }: Position,
): Promise<{ after: Head; quickMs: number }> {
  const timesMs: number[] = [];
  let head = after;
  for (let index = 0; index < WINDOW; index++) {
    const append = sampleAppend(
      { epoch, after: head, count: EVENTS_PER_TURN },
      {
        blobs: [sampleBlob(`output of turn ${turn + index}`)],
        receipt: sampleReceipt(turn + index),
        snapshot: { run: SAMPLE_RUN, sequence: head.sequence, state: { turn } },
      },
    );
    const startedAt = performance.now();
    await log.append(append);
    await inbox.peek(SAMPLE_RUN);
    await log.read(SAMPLE_RUN, head.sequence + 1);
    timesMs.push(performance.now() - startedAt);
    head = headAfter(append);
  }
  // The quickest say what the work takes; the others, what else the machine was doing.
  const quickMs = timesMs.toSorted((a, b) => a - b)[WINDOW / 10] ?? Number.NaN;
  return { after: head, quickMs };
}
