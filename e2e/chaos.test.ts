// Two faults at a small size: `npm run proof chaos` has all of them, and more turns.
import { expect, test } from "vitest";
import { FAULTS } from "../proofs/chaos/faults.ts";
import { runFault } from "../proofs/chaos/run-fault.ts";

const TURNS = 150;

test.each(["worker killed", "cut at commit"])("%s", { timeout: 180_000 }, async (name) => {
  const fault = FAULTS.find((candidate) => candidate.name === name);
  if (fault === undefined) throw new Error(`there is no fault ${name}`);
  const line = await runFault(fault, { turns: TURNS, seed: 1, patienceMs: 40_000 });
  expect(line).toMatchObject({ turns: TURNS, twice: 0, lost: 0, failed: 0, invalid: 0, stuck: 0 });
  expect(line.strikes).toBeGreaterThan(0);
});
