/**
 * Tests the tests: the conformance suite runs against the runtime with one fault in it, and must
 * fail exactly the cases of the rule that the fault breaks. If no case notices a fault, or every
 * case does, the suite is not sharp.
 */
import { readFileSync } from "node:fs";
import { PROFILES, readCases } from "@turnseal/conformance";
import { describe, expect, test } from "vitest";
import { chooseMutants, MUTANT_PARTS } from "./choose-mutants.ts";
import { findFailures, suiteMutants } from "./find-failures.ts";
import { applyMutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";
import { readNoticed, renderNoticed } from "./noticed-cases.ts";

const root = new URL("../../", import.meta.url);
const TIMEOUT_MS = 300_000;

// No control is needed: a mutant fails exactly its cases only where the runtime passes all others.
const asked = chooseMutants(suiteMutants, MUTANT_PARTS, process.env["MUTANTS"]);

describe("the suites", { concurrent: true, timeout: TIMEOUT_MS }, () => {
  test.each(asked)("the profile $profile notices $name, and nothing else", async (mutant) => {
    const noticed = readNoticed(mutant.profile).get(mutant.name);
    expect(await findFailures(mutant)).toEqual(noticed);
  });
});

describe("the table of mutants", () => {
  test("has a mutant of each name once", () => {
    expect(new Set(suiteMutants.map(({ name }) => name)).size).toBe(suiteMutants.length);
  });

  test.each(PROFILES)("%s: each mutant is noticed, by cases that exist", (profile) => {
    const names = new Set(readCases(profile).map(({ name }) => name));
    const noticed = readNoticed(profile);
    expect([...noticed.keys()]).toEqual(mutants[profile].map(({ name }) => name).sort());
    for (const [name, cases] of noticed) {
      expect(cases.length, name).toBeGreaterThan(0);
      expect(
        cases.filter((each) => !names.has(each)),
        name,
      ).toEqual([]);
    }
  });

  test.each(PROFILES)("%s: the data is as the command writes it", (profile) => {
    const text = readFileSync(new URL(`cases/${profile}.json`, import.meta.url), "utf8");
    expect(text).toBe(renderNoticed(readNoticed(profile)));
  });

  test.each(suiteMutants)("$name changes what is there", (mutant) => {
    const source = readFileSync(new URL(mutant.file, root), "utf8");
    expect(applyMutant(mutant, source)).not.toBe(source);
  });

  test("refuses a text that is not there, or is there twice", () => {
    const mutant = { name: "a", file: "b.ts", find: "x", replace: "y" };
    expect(applyMutant(mutant, "1x2")).toBe("1y2");
    for (const source of ["", "xx"]) {
      expect(() => applyMutant(mutant, source)).toThrow("must stand once in b.ts");
    }
  });
});
