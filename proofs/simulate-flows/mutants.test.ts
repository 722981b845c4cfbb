/** Tests the simulation of flows: each fault in the runtime must be noticed by some seed. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chooseMutants, MUTANT_PARTS } from "../mutants/choose-mutants.ts";
import { applyMutant } from "../mutants/mutant.ts";
import { flowGuards } from "../simulate/flow-guards.ts";
import { simulateBroken } from "../simulate/simulate-broken.ts";

const program = "simulate-flows.ts";
const SEEDS = 200;
const TIMEOUT_MS = 300_000;
const chosen = chooseMutants(flowGuards, MUTANT_PARTS, process.env["MUTANTS"]);

describe("the simulation of flows", { timeout: TIMEOUT_MS }, () => {
  test.each(chosen)("notices $name", async (mutant) => {
    const { faults } = await simulateBroken({ program, seeds: SEEDS, mutant });
    expect(faults).toHaveLength(1);
  });

  test.each(flowGuards)("$name changes what is there", (mutant) => {
    const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), "utf8");
    expect(applyMutant(mutant, source)).not.toBe(source);
  });
});
