// Caps in units of the operator's own: of one call, of a period, of the run, through a real host.
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import { type Amounts, type ByPeriod, canonicalize, type JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { createLocalHost } from "./local/local-host.ts";
import { signer, signingKey } from "./scenarios/__fixtures__/refund-desk.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function openTill(caps: { perCall?: Amounts; perPeriod?: ByPeriod<Amounts>; budget?: Amounts }) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  let made = 0;
  const refund = defineTool({
    ...{ id: "refund", version: "1.0.0", effect: "idempotent", build: "test" },
    input: jsonSchema<{ readonly cents: number }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    needs: ({ cents }) => ({ amounts: { "refunds.cents": cents } }),
    run: () => {
      made += 1;
      return { made };
    },
  });
  const host = createLocalHost({
    ...{ loops: [refund], stores, signer, clock, ids: seededIds("till") },
  });
  const goal = { path: "$.output.made", equals: 99 } as const;
  const grant = { grantor: "ada", tools: ["local.refund"], budget: {}, ...caps };
  return {
    clock,
    host,
    made: () => made,
    start: (cents: number) =>
      host.start(refund, { cents }, { key: String(cents), grant, bounds: { goal, turnsMax: 9 } }),
    /** One turn; answers why the run stopped, or that it goes on. */
    turn: async (run: string) => {
      const advanced = await host.advance(run, { sliceMs: 0 });
      if (!("projection" in advanced)) return advanced.dues.why;
      return advanced.projection.stopped ?? advanced.dues.kind;
    },
    check: async (run: string) => {
      const events = await stores.log.read(run, 1);
      const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
        canonicalize(envelope),
      );
      const verdict = await verifyRun({ run, events, receipts }, { keys: [signingKey] });
      expect(verdict.findings).toEqual([]);
    },
  };
}

test("one call may not take more than a call may", async () => {
  const till = openTill({ perCall: { "refunds.cents": 500 } });
  const fits = await till.start(500);
  expect(await till.turn(fits)).toBe("continue");
  const over = await till.start(501);
  await till.turn(over);
  expect(await till.turn(over)).toBe("budget-exhausted");
  expect(till.made()).toBe(1);
  await till.check(fits);
  await till.check(over);
});

test("a day takes no more than a day may, and the next day starts anew", async () => {
  const till = openTill({ perPeriod: { day: { "refunds.cents": 1_500 } } });
  const run = await till.start(700);
  expect(await till.turn(run)).toBe("continue");
  expect(await till.turn(run)).toBe("continue");
  till.clock.advance(DAY_MS);
  expect(await till.turn(run)).toBe("continue");
  expect(await till.turn(run)).toBe("continue");
  expect(till.made()).toBe(4);
  await till.turn(run);
  expect(await till.turn(run)).toBe("budget-exhausted");
  expect(till.made()).toBe(4);
  await till.check(run);
});

test("the run takes no more than all of it, whatever the day", async () => {
  const till = openTill({ budget: { "refunds.cents": 1_500 } });
  const run = await till.start(700);
  for (let turn = 0; turn < 2; turn++) {
    expect(await till.turn(run)).toBe("continue");
    till.clock.advance(DAY_MS);
  }
  await till.turn(run);
  expect(await till.turn(run)).toBe("budget-exhausted");
  expect(till.made()).toBe(2);
  expect((await till.host.show(run))?.spending.settled).toMatchObject({ "refunds.cents": 1_400 });
  await till.check(run);
});
