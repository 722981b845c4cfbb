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
import { OUTBOX_READ_MAX, type Outbox } from "./outbox.ts";

/** The contract of every outbox. */
export function outboxContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract(sentences, options);
}

const sentences: StoresSentences = {
  "a receipt is kept for each observer that its append names": async ({ stores }) => {
    const receipt = sampleReceipt(1);
    await takeAndAppend(stores, {}, { receipt, observers: ["a", "b"] });
    const sealed = [{ run: SAMPLE_RUN, turn: 1, id: receipt.id }];
    assert.deepEqual(await outboxOf(stores).list("a"), sealed);
    assert.deepEqual(await outboxOf(stores).list("b"), sealed);
    assert.deepEqual(await outboxOf(stores).list("c"), []);
  },
  "an append without a receipt leaves nothing": async ({ stores }) => {
    await takeAndAppend(stores, {}, { observers: ["a"] });
    assert.deepEqual(await outboxOf(stores).list("a"), []);
  },
  "a fenced append leaves nothing, and the same append twice leaves one row": async ({
    stores,
  }) => {
    const { epoch: old } = await stores.log.takeEpoch(SAMPLE_RUN);
    const { epoch } = await stores.log.takeEpoch(SAMPLE_RUN);
    const carried = { receipt: sampleReceipt(1), observers: ["a"] };
    await stores.log.append(sampleAppend({ epoch: old }, carried));
    assert.deepEqual(await outboxOf(stores).list("a"), []);
    const append = sampleAppend({ epoch }, carried);
    await stores.log.append(append);
    assert.equal((await stores.log.append(append)).kind, "duplicate");
    assert.equal((await outboxOf(stores).list("a")).length, 1);
  },
  "an acknowledged receipt is gone for its observer alone, also said twice": async ({ stores }) => {
    await appendTurns(stores, 2, ["a", "b"]);
    const outbox = outboxOf(stores);
    const [first] = await outbox.list("a");
    assert.ok(first !== undefined);
    for (const _ of [1, 2]) await outbox.acknowledge("a", first);
    assert.deepEqual(turnsOf(await outbox.list("a")), [2]);
    assert.deepEqual(turnsOf(await outbox.list("b")), [1, 2]);
    await outbox.acknowledge("never", { run: OTHER_RUN, turn: 7 });
  },
  "a list has at most OUTBOX_READ_MAX rows by run and turn, and goes on after one": async ({
    stores,
  }) => {
    await appendTurns(stores, OUTBOX_READ_MAX + 3, ["a"]);
    const outbox = outboxOf(stores);
    const page = await outbox.list("a");
    assert.equal(page.length, OUTBOX_READ_MAX);
    const rest = await outbox.list("a", page.at(-1));
    const last = OUTBOX_READ_MAX;
    assert.deepEqual(turnsOf(rest), [last + 1, last + 2, last + 3]);
    await outbox.acknowledge("a", page[0] ?? { run: "", turn: 0 });
    assert.deepEqual(turnsOf(await outbox.list("a")).at(0), 2);
  },
  "an erased run keeps its row, as it keeps its receipts": async ({ stores }) => {
    await takeAndAppend(stores, {}, { receipt: sampleReceipt(1), observers: ["a"] });
    await stores.blobs.erase(SAMPLE_RUN);
    assert.deepEqual(turnsOf(await outboxOf(stores).list("a")), [1]);
  },
};

function outboxOf({ outbox }: Stores): Outbox {
  assert.ok(outbox !== undefined, "the store has an outbox");
  return outbox;
}

function turnsOf(rows: readonly { readonly turn: number }[]): number[] {
  return rows.map(({ turn }) => turn);
}

async function appendTurns(
  stores: Stores,
  turns: number,
  observers: readonly string[],
): Promise<void> {
  const { epoch, head } = await stores.log.takeEpoch(SAMPLE_RUN);
  let after = head;
  for (let turn = 1; turn <= turns; turn++) {
    const append = sampleAppend({ epoch, after }, { receipt: sampleReceipt(turn), observers });
    await stores.log.append(append);
    after = headAfter(append);
  }
}
