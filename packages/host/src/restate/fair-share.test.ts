import { manualClock } from "@turnseal/ports";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decideNextTenant, measureReserve, SEEN_MS, type TenantUse } from "./fair-share.ts";
import { createSlots } from "./slots.ts";

const use = ({ waiting = 1, ...more }: Partial<TenantUse> & { waiting?: number }): TenantUse => ({
  ...{ held: 0, queue: { length: waiting }, weight: 1, pass: 0, seenMs: 0 },
  ...more,
});

test.each([
  [1, 0],
  [3, 0],
  [4, 1],
  [15, 1],
  [16, 2],
  [24, 3],
  [64, 8],
])("of %d slots %d are kept", (max, kept) => {
  expect(measureReserve(max)).toBe(kept);
});

test("no slot is given where none is free or none is wanted", () => {
  const at = { max: 4, nowMs: 0 };
  expect(decideNextTenant([use({})], { ...at, free: 0 })).toBeUndefined();
  expect(decideNextTenant([use({ waiting: 0 })], { ...at, free: 4 })).toBeUndefined();
  expect(decideNextTenant([], { ...at, free: 4 })).toBeUndefined();
});

test("what is kept goes to whoever is below its share, and to nobody else", () => {
  const noisy = use({ held: 7, waiting: 9 });
  const quiet = use({ waiting: 0, seenMs: 0 });
  const one = { max: 8, free: 1 };
  expect(decideNextTenant([noisy, quiet], { ...one, nowMs: SEEN_MS - 1 })).toBeUndefined();
  expect(decideNextTenant([noisy, quiet], { ...one, nowMs: SEEN_MS })).toBe(noisy);
  const back = use({ waiting: 1, pass: 99 });
  expect(decideNextTenant([noisy, back], { ...one, nowMs: 0 })).toBe(back);
});

const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 });

/** Tenants that never have enough: each holds a slot for as long as it says. */
function flood(max: number, tenants: readonly { weight: number; stepMs: number }[]) {
  const clock = manualClock(0);
  const slots = createSlots(max, { weightOf: (name) => tenants[Number(name)]?.weight ?? 1 });
  const held = tenants.map(() => 0);
  const served = tenants.map(() => 0);
  const ask = (at: number): void => {
    const asked = { tenant: String(at), clock, waitMs: 1e12, isFromLane: true };
    void slots.take(asked).then((release) => {
      held[at] = (held[at] ?? 0) + 1;
      served[at] = (served[at] ?? 0) + 1;
      clock.after(tenants[at]?.stepMs ?? 1, () => {
        held[at] = (held[at] ?? 0) - 1;
        ask(at);
        release?.();
      });
    });
  };
  for (const at of tenants.keys()) for (let count = 0; count < max; count++) ask(at);
  const pass = async (ms: number): Promise<void> => {
    for (let count = 0; count < ms; count++) {
      clock.advance(1);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { slots, held, served, pass };
}

test("tenants that never have enough hold their shares, however long their steps are", async () => {
  const stepMs = fc.integer({ min: 1, max: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4, max: 24 }),
      fc.array(fc.record({ weight: fc.integer({ min: 1, max: 5 }), stepMs }), {
        minLength: 2,
        maxLength: 4,
      }),
      async (max, tenants) => {
        const { slots, held, pass } = flood(max, tenants);
        await pass(200);
        const total = tenants.reduce((sum, { weight }) => sum + weight, 0);
        for (let look = 0; look < 20; look++) {
          await pass(7);
          // Work conserving: everybody waits, so that nothing is left free.
          expect(slots.inUse()).toBe(max);
          for (const [at, { weight }] of tenants.entries()) {
            const share = (max * weight) / total;
            expect(Math.abs((held[at] ?? 0) - share)).toBeLessThanOrEqual(tenants.length);
          }
        }
      },
    ),
    { numRuns: 25, seed: 1 },
  );
});

test("with one slot, tenants are served by their weights, and none starves", async () => {
  await fc.assert(
    fc.asyncProperty(weights, async (given) => {
      const total = given.reduce((sum, weight) => sum + weight, 0);
      const tenants = given.map((weight) => ({ weight, stepMs: 1 }));
      const { served, pass } = flood(1, tenants);
      await pass(total * 3);
      const all = served.reduce((sum, count) => sum + count, 0);
      for (const [at, weight] of given.entries()) {
        const fair = (all * weight) / total;
        expect(served[at]).toBeGreaterThan(0);
        // The bound of strides: one service for each of the others.
        expect(Math.abs((served[at] ?? 0) - fair)).toBeLessThanOrEqual(given.length);
      }
    }),
    { numRuns: 25, seed: 2 },
  );
});

test("whatever is asked and given back, no slot is lost or given twice", async () => {
  const step = fc.record({
    kind: fc.constantFrom("ask", "give", "pass"),
    tenant: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(step, { maxLength: 200 }),
      async (max, steps) => {
        const clock = manualClock(0);
        const slots = createSlots(max);
        const held: (() => void)[] = [];
        let sentAway = 0;
        let asked = 0;
        let given = 0;
        for (const { kind, tenant } of steps) {
          if (kind === "pass") clock.advance(3_000);
          else if (kind === "give") {
            const release = held.shift();
            if (release !== undefined) given += 1;
            release?.();
          } else {
            asked += 1;
            void slots.take({ tenant: `t${tenant}`, clock, waitMs: 5_000 }).then((release) => {
              if (release === undefined) sentAway += 1;
              else held.push(release);
            });
          }
          for (let tick = 0; tick < 3; tick++) await Promise.resolve();
          expect(slots.inUse()).toBe(held.length);
          expect(slots.inUse()).toBeLessThanOrEqual(max);
          expect(slots.waiting()).toBe(asked - given - sentAway - held.length);
          // Only what is kept stays free while somebody waits.
          if (slots.waiting() > 0)
            expect(max - slots.inUse()).toBeLessThanOrEqual(measureReserve(max));
        }
      },
    ),
    { numRuns: 100, seed: 3 },
  );
});
