import { describe, expect, test } from "vitest";
import { createPayments, type Payments } from "../scenarios/__fixtures__/payments.ts";
import type { TurnReplay } from "./replay-run.ts";

async function finish(payments: Payments): Promise<string> {
  const run = await payments.start();
  await payments.host.drive(run);
  return run;
}

async function collect(replays: AsyncGenerator<TurnReplay>): Promise<TurnReplay[]> {
  const collected: TurnReplay[] = [];
  for await (const replay of replays) collected.push(replay);
  return collected;
}

describe("a turn that is run again from its record", () => {
  test("is identical, and executes nothing", async () => {
    let acts = 0;
    const payments = createPayments({ act: () => ({ number: ++acts }) });
    const run = await finish(payments);
    const before = await payments.stores.log.readHead(run);
    expect(await collect(payments.host.replay(run))).toEqual([
      { turn: 1, replayed: { kind: "identical" } },
    ]);
    expect(acts).toBe(1);
    expect(await payments.stores.log.readHead(run)).toEqual(before);
  });

  test("differs when a loop has changed", async () => {
    const payments = createPayments();
    const run = await finish(payments);
    const { stores, clock } = payments;
    const changed = createPayments({ stores, clock, template: "Please pay {{order}}" });
    expect(await collect(changed.host.replay(run))).toMatchObject([
      { turn: 1, replayed: { kind: "different" } },
    ]);
  });

  test("differs when its receipt is missing", async () => {
    const payments = createPayments();
    const run = await finish(payments);
    const receipts = { ...payments.stores.receipts, read: async () => undefined };
    const { clock } = payments;
    const robbed = createPayments({ stores: { ...payments.stores, receipts }, clock });
    expect(await collect(robbed.host.replay(run))).toMatchObject([
      { replayed: { kind: "different", message: "the turn has no receipt" } },
    ]);
  });

  test("cannot be replayed when its content was erased", async () => {
    const payments = createPayments();
    const run = await finish(payments);
    await payments.stores.blobs.erase(run);
    expect(await collect(payments.host.replay(run))).toEqual([
      { turn: 1, replayed: { kind: "not-replayable", reason: "its content was erased" } },
    ]);
  });
});

test("the output of a run has its loop's type, and is gone when it was erased", async () => {
  const payments = createPayments();
  const run = await finish(payments);
  const { host, agent, stores } = payments;
  const output: { readonly text: string } | undefined = await host.readOutput(agent, run);
  expect(output).toEqual({ text: "done" });
  const other = { definition: { ...agent.definition, id: "other" } };
  expect(await host.readOutput(other, run)).toBeUndefined();
  await stores.blobs.erase(run);
  expect(await host.readOutput(agent, run)).toBeUndefined();
});
