/** Holds grants to the vectors of the specification. Every file of the folder is driven. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Amounts, findExcess, type Spending } from "../budget/budget.ts";
import { isToolReference } from "../tool-reference.ts";
import { admit, DENIAL_REASONS } from "./admit.ts";
import { attenuate, checkProof } from "./attenuate.ts";
import { CAPABILITIES, RESOURCE_FAMILIES, VERBS } from "./authority-names.ts";
import { FAMILY_BOUNDS, LIMIT_NAMES } from "./bounds.ts";
import { WIDENINGS } from "./compare-grants.ts";
import { containsGlob, isGlob, matchesGlob } from "./glob.ts";
import { type Grant, parseGrant, readGrant } from "./grant.ts";
import { containsDestination, isDestination } from "./place-patterns.ts";

const folder = new URL("../../../../spec/vectors/grant/", import.meta.url);

interface Vector<Input, Expect> {
  readonly description: string;
  readonly input: Input;
  readonly expect: Expect;
}

function readVectors<Input, Expect>(file: string): Vector<Input, Expect>[] {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"));
}

const driven = new Set<string>();

function drive<Input, Expect>(file: string, check: (input: Input, expect: Expect) => void): void {
  driven.add(file);
  describe(file, () => {
    test.each(
      readVectors<Input, Expect>(file).map((vector) => [vector.description, vector] as const),
    )("%s", (_, vector) => check(vector.input, vector.expect));
  });
}

drive("tool-reference.json", (input: { reference: string }, expected: { valid: boolean }) => {
  expect(isToolReference(input.reference)).toBe(expected.valid);
  const grant = parseGrant({ grantor: "alice", tools: [input.reference], budget: {} });
  expect("problem" in grant).toBe(!expected.valid);
});

interface ScopeCase {
  readonly granted: readonly string[];
  readonly requested: readonly string[];
  readonly firstParty: boolean;
}

drive("scope.json", (input: ScopeCase, expected: { kind: string; need?: number }) => {
  const { granted, requested, firstParty } = input;
  const grant = parseGrant(
    { grantor: "alice", tools: ["fs.read"], scopes: granted, budget: {} },
    { isFirstParty: firstParty },
  );
  if ("problem" in grant) return expect(expected.kind).toBe("refused");
  expect(new Set(grant.scopes).size).toBe(grant.scopes?.length);
  const admission = admit(grant, { tool: "fs.read", needs: { scopes: requested } }, 0);
  expect(admission).toMatchObject(expected);
});

interface Pair {
  readonly inner: string;
  readonly outer: string;
}

drive("glob-containment.json", ({ inner, outer }: Pair, expected: { within: boolean }) => {
  expect(isGlob(inner) && isGlob(outer)).toBe(true);
  expect(containsGlob(outer, inner)).toBe(expected.within);
});

drive(
  "glob-match.json",
  ({ pattern, path }: { pattern: string; path: string }, expected: { matches: boolean }) => {
    expect(isGlob(pattern)).toBe(true);
    expect(matchesGlob(pattern, path)).toBe(expected.matches);
  },
);

drive("destination.json", ({ inner, outer }: Pair, expected: { within: boolean }) => {
  expect(isDestination(inner) && isDestination(outer)).toBe(true);
  expect(containsDestination(outer, inner)).toBe(expected.within);
});

interface AttenuateCase {
  readonly parent: Grant;
  readonly requested: unknown;
}

drive("attenuate.json", ({ parent, requested }: AttenuateCase, expected: object) => {
  expect(readGrant(parent)).toEqual(parent);
  const attenuation = attenuate(parent, requested);
  expect(attenuation).toEqual(expected);
  if (attenuation.kind === "refused") return;
  const { grant, proof } = attenuation;
  expect(readGrant(grant)).toEqual(grant);
  expect(checkProof(proof, grant, parent)).toEqual({ kind: "proven" });
});

interface AdmitCase {
  readonly grant: Grant;
  readonly tool: string;
  readonly needs: object;
  readonly at: string;
  readonly holds: readonly string[];
}

function checkAdmission({ grant, tool, needs, at, holds }: AdmitCase, expected: object): void {
  expect(readGrant(grant)).toEqual(grant);
  const judge = (condition: string) => holds.includes(condition);
  expect(admit(grant, { tool, needs }, Date.parse(at), judge)).toEqual(expected);
}
drive("admit.json", checkAdmission);
// The tools themselves are held to what these cases need, in their own package.
drive("admit-tools.json", checkAdmission);

interface ExcessCase {
  readonly grant: Grant;
  readonly spending: Spending;
  readonly wanted: Amounts;
  readonly at: string;
}

drive(
  "excess.json",
  ({ grant, spending, wanted, at }: ExcessCase, expected: { excess: object | null }) => {
    expect(findExcess(grant, spending, { wanted, at }) ?? null).toEqual(expected.excess);
  },
);

describe("spec/grant.md", () => {
  const text = readFileSync(new URL("../../grant.md", folder), "utf8");
  const namesAfter = (mark: string): string[] =>
    Array.from((text.split(mark)[1]?.split(".\n")[0] ?? "").matchAll(/`([a-z_]+)`/g), ([, name]) =>
      String(name),
    );

  test("lists the families, verbs and capabilities that are known", () => {
    expect(namesAfter("- Families: ")).toEqual([...RESOURCE_FAMILIES]);
    expect(namesAfter("- Verbs: ")).toEqual([...VERBS]);
    expect(namesAfter("- Capabilities: ")).toEqual([...CAPABILITIES]);
    const counts = [RESOURCE_FAMILIES, VERBS, CAPABILITIES].map((names) => names.length);
    expect(counts).toEqual([10, 18, 9]);
  });

  test("names every bound of every family, and every limit", () => {
    for (const [family, bounds] of Object.entries(FAMILY_BOUNDS)) {
      expect(text).toContain(`\`${family}\``);
      for (const bound of bounds) expect(text).toContain(`| \`${bound}\` |`);
    }
    for (const name of LIMIT_NAMES) expect(text).toContain(`\`${name}\``);
  });

  test("names every denial and every way of being wider", () => {
    const reasons = DENIAL_REASONS.filter((reason) => !text.includes(reason));
    expect(reasons).toEqual([]);
    expect(WIDENINGS.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });
});

test("every file of vectors is driven", () => {
  expect(readdirSync(folder).sort()).toEqual([...driven].sort());
});

test("every way in which a request can be wider has a vector", () => {
  const vectors = readVectors<AttenuateCase, { code?: string }>("attenuate.json");
  const tried = new Set(vectors.flatMap((vector) => vector.expect.code ?? []));
  // A request names no grantor.
  const possible = WIDENINGS.filter((code) => code !== "grantor");
  expect([...tried].sort()).toEqual(possible.sort());
});
