/**
 * Tests the simulation: each guard of the runtime is broken by a change of one line while it is
 * loaded, and some seed must notice. A mutant that no seed notices would mean that the guard, or
 * the simulation, does nothing.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chooseMutants, MUTANT_PARTS } from "../mutants/choose-mutants.ts";
import { applyMutant } from "../mutants/mutant.ts";
import { guardMutants } from "./guard-mutants.ts";
import { simulateBroken } from "./simulate-broken.ts";

const root = new URL("../../", import.meta.url);
const program = "simulate.ts";
const SEEDS = 900;
const chosen = chooseMutants(guardMutants, MUTANT_PARTS, process.env["MUTANTS"]);
const TIMEOUT_MS = 300_000;

describe("the simulation", { concurrent: true, timeout: TIMEOUT_MS }, () => {
  test("finds nothing in the runtime as it is", async () => {
    expect((await simulateBroken({ program, seeds: 20 })).faults).toEqual([]);
  });

  test.each(chosen)("notices $name", async (mutant) => {
    const { faults } = await simulateBroken({ program, seeds: SEEDS, mutant });
    expect(faults).toHaveLength(1);
  });
});

test.each(guardMutants)("$name changes what is there", (mutant) => {
  const source = readFileSync(new URL(mutant.file, root), "utf8");
  expect(applyMutant(mutant, source)).not.toBe(source);
});

test("each mutant has a name of its own", () => {
  expect(new Set(guardMutants.map(({ name }) => name)).size).toBe(guardMutants.length);
});
