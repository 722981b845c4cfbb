import fc from "fast-check";
import { expect, test } from "vitest";
import { compareSemver, parseSemver, type Semver, VERSION_LENGTH_MAX } from "./semver.ts";

const numeric = fc.nat({ max: 20 }).map(String);
const identifier = fc.oneof(numeric, fc.constantFrom("a", "b", "A", "-", "rc", "1a"));
const version: fc.Arbitrary<Semver> = fc.record({
  core: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.nat({ max: 3 })),
  prerelease: fc.array(identifier, { maxLength: 3 }),
});

function write({ core, prerelease }: Semver): string {
  return core.join(".") + (prerelease.length === 0 ? "" : `-${prerelease.join(".")}`);
}

test("a written version is read back", () => {
  fc.assert(
    fc.property(version, (semver) => {
      expect(parseSemver(write(semver))).toEqual(semver);
      expect(parseSemver(`${write(semver)}+build.01`)).toEqual(semver);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test("the order is total: antisymmetric, transitive, and equal only for the same version", () => {
  const sign = (a: Semver, b: Semver): number => Math.sign(compareSemver(a, b));
  fc.assert(
    fc.property(version, version, version, (one, two, three) => {
      expect(sign(one, two) + sign(two, one)).toBe(0);
      expect(sign(one, two) === 0).toBe(write(one) === write(two));
      const isOrdered = sign(one, two) <= 0 && sign(two, three) <= 0;
      if (isOrdered) expect(sign(one, three)).toBeLessThanOrEqual(0);
    }),
    { seed: 7, numRuns: 1_000 },
  );
});

test("takes VERSION_LENGTH_MAX characters and refuses one more", () => {
  const longest = `1.0.0-${"a".repeat(VERSION_LENGTH_MAX - 6)}`;
  expect(longest).toHaveLength(128);
  expect(parseSemver(longest)).toBeDefined();
  expect(parseSemver(`${longest}a`)).toBeUndefined();
});
