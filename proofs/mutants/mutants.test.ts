/**
 * Tests the tests: the conformance suite runs against the runtime with one fault in it, and must
 * fail exactly the cases of the rule that the fault breaks. If no case notices a fault, or every
 * case does, the suite is not sharp.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PROFILES, type Profile, readCases, runSuite } from "@turnseal/conformance";
import { describe, expect, test } from "vitest";
import { chooseMutants, MUTANT_PARTS } from "./choose-mutants.ts";
import { applyMutant, type Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";

const root = new URL("../../", import.meta.url);
const loader = new URL("load-mutant.ts", import.meta.url);
const TIMEOUT_MS = 300_000;
const ANSWER_MS = 120_000;

// Cases about crashes write files that nobody needs afterwards: where memory can hold them, no disk
// is waited for.
if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";

interface Asked extends Mutant {
  readonly profile: Profile;
}

async function findFailures({ profile, name: mutant }: Asked): Promise<string[]> {
  const program = fileURLToPath(new URL("proofs/conformance/program.ts", root));
  const hooks = ["--import", `${loader.href}?mutant=${mutant}`];
  const command = [process.execPath, ...hooks, "--conditions=turnseal-source", program];
  // Many start at once, each of them from source.
  const patience = { startMs: ANSWER_MS, answerMs: ANSWER_MS };
  const { results } = await runSuite({ command, profile, patience });
  return results.filter(({ problems }) => problems.length > 0).map(({ name }) => name);
}

// No control is needed: a mutant fails exactly its cases only where the runtime passes all others.
const all = PROFILES.flatMap((profile) => mutants[profile].map((each) => ({ ...each, profile })));
const asked = chooseMutants(all, MUTANT_PARTS, process.env["MUTANTS"]);

describe("the suites", { concurrent: true, timeout: TIMEOUT_MS }, () => {
  test.each(asked)("the profile $profile notices $name, and nothing else", async (mutant) => {
    const failures = await findFailures(mutant);
    expect(failures.sort()).toEqual([...mutant.fails].sort());
  });
});

describe("the table of mutants", () => {
  test("names each mutant once, and only cases that exist", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const profile of PROFILES) {
      const names = new Set(readCases(profile).map(({ name }) => name));
      for (const { name, fails } of mutants[profile]) {
        expect(fails.length, name).toBeGreaterThan(0);
        expect(
          fails.filter((fail) => !names.has(fail)),
          name,
        ).toEqual([]);
      }
    }
  });

  test.each(all)("$name changes what is there", (mutant) => {
    const source = readFileSync(new URL(mutant.file, root), "utf8");
    expect(applyMutant(mutant, source)).not.toBe(source);
  });

  test("refuses a text that is not there, or is there twice", () => {
    const mutant = { name: "a", file: "b.ts", find: "x", replace: "y", fails: [] };
    expect(applyMutant(mutant, "1x2")).toBe("1y2");
    for (const source of ["", "xx"]) {
      expect(() => applyMutant(mutant, source)).toThrow("must stand once in b.ts");
    }
  });
});
