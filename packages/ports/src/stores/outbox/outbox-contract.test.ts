import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { memorySubject } from "../memory-subject.test.data.ts";
import type { Stores } from "../stores.ts";
import type { StoresSubject } from "../stores-subject.ts";
import type { Outbox } from "./outbox.ts";
import { outboxContract } from "./outbox-contract.ts";

for (const { name, run } of outboxContract({ create: () => memorySubject() })) test(name, run);

const nothing: Outbox = { list: async () => [], acknowledge: async () => {} };

const withOutbox = (change: (outbox: Outbox, stores: Stores) => Partial<Outbox>) => () =>
  memorySubject((stores) => {
    const { outbox = nothing } = stores;
    return { outbox: { ...outbox, ...change(outbox, stores) } };
  });

/** A memory whose appends are told of other parts. */
const withAppends = (change: (append: Parameters<Stores["log"]["append"]>[0]) => object) => () =>
  memorySubject(({ log }) => ({
    log: { ...log, append: (append) => log.append({ ...append, ...change(append) }) },
  }));

const broken: Readonly<Record<string, () => StoresSubject>> = {
  "a receipt is kept for each observer that its append names": withAppends(({ observers }) => ({
    observers: observers?.slice(0, 1) ?? [],
  })),
  "an append without a receipt leaves nothing": withOutbox((outbox, { log }) => ({
    list: async (observer, after) => {
      const rows = await outbox.list(observer, after);
      const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
      const head = rows.length > 0 ? undefined : await log.readHead(run);
      return (head?.sequence ?? 0) > 0 ? [{ run, turn: 1, id: "none" }] : rows;
    },
  })),
  "a fenced append leaves nothing, and the same append twice leaves one row": withOutbox(
    (outbox, { log }) => {
      const kept = { ...outbox };
      return {
        list: async (observer, after) => {
          const rows = await kept.list(observer, after);
          const head = await log.readHead("2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d");
          return head?.epoch === 2 ? [...rows, ...rows] : rows;
        },
      };
    },
  ),
  "an acknowledged receipt is gone for its observer alone, also said twice": withOutbox(
    (outbox) => ({
      acknowledge: async (_, receipt) => {
        for (const observer of ["a", "b"]) await outbox.acknowledge(observer, receipt);
      },
    }),
  ),
  "a list has at most OUTBOX_READ_MAX rows by run and turn, and goes on after one": withOutbox(
    (outbox) => ({
      list: async (observer, after) => {
        const page = await outbox.list(observer, after);
        return [...page, ...(await outbox.list(observer, page.at(-1)))];
      },
    }),
  ),
  "an erased run keeps its row, as it keeps its receipts": () => {
    const erased = new Set<string>();
    return memorySubject(({ blobs, outbox = nothing }) => ({
      blobs: { ...blobs, erase: async (run) => void erased.add(run) },
      outbox: {
        ...outbox,
        list: async (observer, after) =>
          (await outbox.list(observer, after)).filter(({ run }) => !erased.has(run)),
      },
    }));
  },
};

test("every sentence finds a store that does not keep it", async () => {
  expect(await findMissed(outboxContract, broken)).toEqual([]);
});
