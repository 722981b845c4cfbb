/**
 * Tests the simulation: each guard of the runtime is broken by a change of one line while it is
 * loaded, and some seed must notice. A mutant that no seed notices would mean that the guard, or
 * the simulation, does nothing.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { chooseMutants, MUTANT_PARTS } from "../mutants/choose-mutants.ts";
import { applyMutant } from "../mutants/mutant.ts";
import { guardMutants } from "./guard-mutants.ts";
import type { Report } from "./summary.ts";

const root = new URL("../../", import.meta.url);
const loader = new URL("load-mutant.ts", import.meta.url);
const program = fileURLToPath(new URL("proofs/simulate.ts", root));
const SEEDS = 900;
const chosen = chooseMutants(guardMutants, MUTANT_PARTS, process.env["MUTANTS"]);
const TIMEOUT_MS = 300_000;

function simulate(hooks: readonly string[], seeds: number, from = 1): Promise<Report> {
  const flags = ["--conditions=turnseal-source", ...hooks, program];
  const options = ["--bail", "--json", "--seeds", String(seeds), "--from", String(from)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...flags, ...options], (error, stdout) => {
      // A simulation that found something says so with its exit code, and prints its report all the
      // same.
      const last = stdout.trim().split("\n").at(-1) ?? "";
      if (last.startsWith("{")) resolve(JSON.parse(last).figures as Report);
      else reject(error ?? new Error("the simulation printed no report"));
    });
  });
}

describe("the simulation", { concurrent: true, timeout: TIMEOUT_MS }, () => {
  test("finds nothing in the runtime as it is", async () => {
    expect((await simulate([], 20)).faults).toEqual([]);
  });

  test.each(chosen)("notices $name", async (mutant) => {
    const hooks = ["--import", `${loader.href}?mutant=${mutant.name}`];
    const { faults } = await simulate(hooks, SEEDS, mutant.from);
    expect(faults).toHaveLength(1);
  });
});

test.each(guardMutants)("$name changes what is there", (mutant) => {
  const source = readFileSync(new URL(mutant.file, root), "utf8");
  expect(applyMutant({ ...mutant, fails: [] }, source)).not.toBe(source);
});

test("each mutant has a name of its own", () => {
  expect(new Set(guardMutants.map(({ name }) => name)).size).toBe(guardMutants.length);
});
