import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import {
  headAfter,
  OTHER_RUN,
  SAMPLE_RUN,
  sampleAppend,
  sampleReceipt,
  takeAndAppend,
} from "../sample-append.ts";
import type { Stores } from "../stores.ts";
import type { StoresSentences, StoresSubject } from "../stores-subject.ts";
import { LIST_RECEIPTS_MAX } from "./receipt-store.ts";

/** The contract of every receipt store. */
export function receiptStoreContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract(sentences, options);
}

const sentences: StoresSentences = {
  "a receipt is read as it was appended": async ({ stores }) => {
    assert.equal(await stores.receipts.read(SAMPLE_RUN, 1), undefined);
    await takeAndAppend(stores, {}, { receipt: sampleReceipt(1) });
    assert.deepEqual(await stores.receipts.read(SAMPLE_RUN, 1), sampleReceipt(1));
    assert.equal(await stores.receipts.read(SAMPLE_RUN, 2), undefined);
    assert.equal(await stores.receipts.read(OTHER_RUN, 1), undefined);
  },
  "receipts are listed in order of their turns, from a turn on": async ({ stores }) => {
    await appendReceipts(stores, [3, 1, 12, 2]);
    await takeAndAppend(stores, { run: OTHER_RUN }, { receipt: sampleReceipt(1, OTHER_RUN) });
    assert.deepEqual(await stores.receipts.list(SAMPLE_RUN, 1), [1, 2, 3, 12].map(receiptOf));
    assert.deepEqual(await stores.receipts.list(SAMPLE_RUN, 3), [3, 12].map(receiptOf));
    assert.deepEqual(await stores.receipts.list(SAMPLE_RUN, 13), []);
  },
  "a list answers at most its limit, and never more than LIST_RECEIPTS_MAX": async ({ stores }) => {
    const turns = Array.from({ length: LIST_RECEIPTS_MAX + 1 }, (_, index) => index + 1);
    await appendReceipts(stores, turns);
    const whole = turns.slice(0, LIST_RECEIPTS_MAX).map(receiptOf);
    const { receipts } = stores;
    assert.deepEqual(await receipts.list(SAMPLE_RUN, 1), whole);
    assert.deepEqual(await receipts.list(SAMPLE_RUN, 1, LIST_RECEIPTS_MAX), whole);
    assert.deepEqual(await receipts.list(SAMPLE_RUN, 1, LIST_RECEIPTS_MAX + 1), whole);
    assert.deepEqual(await receipts.list(SAMPLE_RUN, 2, 2), [2, 3].map(receiptOf));
    assert.deepEqual(await receipts.list(SAMPLE_RUN, 1, 0), []);
    assert.deepEqual(await receipts.list(SAMPLE_RUN, 1, -1), []);
  },
  "a receipt does not change once it is there": async ({ stores }) => {
    await takeAndAppend(stores, {}, { receipt: sampleReceipt(1) });
    const other = { ...sampleReceipt(1), id: `sha256:${"0".repeat(64)}` };
    await assert.rejects(takeAndAppend(stores, {}, { receipt: other }));
    assert.deepEqual(await stores.receipts.read(SAMPLE_RUN, 1), sampleReceipt(1));
    assert.equal((await stores.receipts.list(SAMPLE_RUN, 1)).length, 1);
  },
};

const receiptOf = (turn: number) => sampleReceipt(turn);

async function appendReceipts({ log }: Stores, turns: readonly number[]): Promise<void> {
  const { epoch, head } = await log.takeEpoch(SAMPLE_RUN);
  let after = head;
  for (const turn of turns) {
    const append = sampleAppend({ epoch, after }, { receipt: sampleReceipt(turn) });
    await log.append(append);
    after = headAfter(append);
  }
}
