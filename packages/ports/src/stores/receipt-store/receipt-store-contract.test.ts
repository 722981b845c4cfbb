import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { memorySubject } from "../memory-subject.test.data.ts";
import type { StoresSubject } from "../stores-subject.ts";
import { LIST_RECEIPTS_MAX, type ReceiptStore, type StoredReceipt } from "./receipt-store.ts";
import { receiptStoreContract } from "./receipt-store-contract.ts";

for (const { name, run } of receiptStoreContract({ create: () => memorySubject() }))
  test(name, run);

type Change = (receipts: ReceiptStore) => Partial<ReceiptStore>;

const withReceipts = (change: Change) => (): StoresSubject =>
  memorySubject(({ receipts }) => ({ receipts: { ...receipts, ...change(receipts) } }));

const broken: Readonly<Record<string, () => StoresSubject>> = {
  "a receipt is read as it was appended": withReceipts((receipts) => ({
    read: async (run, turn) => (await receipts.read(run, turn)) ?? receipts.read(run, turn - 1),
  })),
  "receipts are listed in order of their turns, from a turn on": withReceipts((receipts) => ({
    list: async (run, from, limit) =>
      (await receipts.list(run, from, limit)).toSorted((a, b) =>
        String(a.turn) < String(b.turn) ? -1 : 1,
      ),
  })),
  "a list answers at most its limit, and never more than LIST_RECEIPTS_MAX": withReceipts(
    (receipts) => ({
      list: async (run, from, limit = LIST_RECEIPTS_MAX) => [
        ...(await receipts.list(run, from, limit)),
        ...(limit > LIST_RECEIPTS_MAX ? await receipts.list(run, from + LIST_RECEIPTS_MAX) : []),
      ],
    }),
  ),
  "a receipt does not change once it is there": () => {
    const latest = new Map<number, StoredReceipt>();
    return memorySubject(({ log, receipts }) => ({
      log: {
        ...log,
        append: ({ receipt, ...append }) => {
          if (receipt !== undefined) latest.set(receipt.turn, receipt);
          return log.append(append);
        },
      },
      receipts: { ...receipts, read: async (_, turn) => latest.get(turn) },
    }));
  },
};

test("every sentence finds a store that does not keep it", async () => {
  expect(await findMissed(receiptStoreContract, broken)).toEqual([]);
});
