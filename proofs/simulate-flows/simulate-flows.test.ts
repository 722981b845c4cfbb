/** A small simulation of flows with every test run. In full: `npm run proof simulate-flows`. */
import { expect, test } from "vitest";
import { createSummary } from "../simulate/summary.ts";
import { runFlowSeed } from "./run-flow-seed.ts";
import { WANTED } from "./wanted.ts";

const SEEDS = 30;
const TIMEOUT_MS = 300_000;

test("flows come to the same, whatever goes wrong, in thirty seeds", {
  timeout: TIMEOUT_MS,
}, async () => {
  const summary = createSummary(WANTED, { isSingle: false });
  for (let seed = 1; seed <= SEEDS; seed++) summary.add(await runFlowSeed(seed));
  const { faults, counts, medians } = summary.read();
  expect(faults).toEqual([]);
  expect(medians.crashes).toBeGreaterThanOrEqual(WANTED.medians.crashes);
  const shown = ["compared", "compared node by node", "flow item-withdrawn"];
  for (const what of shown) expect([what, counts[what] ?? 0]).not.toEqual([what, 0]);
});

test("a seed replays exactly, event by event", { timeout: TIMEOUT_MS }, async () => {
  expect(await runFlowSeed(3)).toEqual(await runFlowSeed(3));
  expect((await runFlowSeed(1)).head).not.toBe((await runFlowSeed(3)).head);
});

// Each was a fault once: these cases are rare, so every test run has them.
test.each([
  [5145, "a wait without a schema takes whatever is sent"],
  [6030, "which of two failures is the first is chance"],
  [7030, "a prompt in a branch asks for two tools, and its worker dies between their begins"],
  [11604, "a flow that has borne the failure of its provider fails for a reason of its own"],
])("seed %i comes to the same: %s", { timeout: TIMEOUT_MS }, async (seed) => {
  expect((await runFlowSeed(seed)).fault).toBeUndefined();
});
