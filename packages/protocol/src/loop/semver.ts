/** Semantic versions 2.0.0: what is one, and which of two is higher. */
export interface Semver {
  readonly core: readonly [number, number, number];
  readonly prerelease: readonly string[];
}

/** A longer version is refused before the pattern sees it. */
export const VERSION_LENGTH_MAX = 128;

const number = "(0|[1-9][0-9]{0,14})";
const identifier = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
const pattern = new RegExp(
  `^${number}\\.${number}\\.${number}` +
    `(?:-(${identifier}(?:\\.${identifier})*))?` +
    "(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$",
);

/** Reads a version, or answers undefined when it is not one. */
export function parseSemver(text: string): Semver | undefined {
  if (text.length > VERSION_LENGTH_MAX) return undefined;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, prerelease] = match;
  return {
    core: [Number(major), Number(minor), Number(patch)],
    prerelease: prerelease === undefined ? [] : prerelease.split("."),
  };
}

/** Negative when `a` is lower, positive when it is higher. Build metadata does not count. */
export function compareSemver(a: Semver, b: Semver): number {
  for (const index of [0, 1, 2] as const) {
    const difference = a.core[index] - b.core[index];
    if (difference !== 0) return difference;
  }
  return comparePrerelease(a.prerelease, b.prerelease);
}

function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  // A release is higher than each of its prereleases.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const left = a[index];
    const right = b[index];
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    const difference = compareIdentifier(left, right);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareIdentifier(a: string, b: string): number {
  const aNumeric = /^[0-9]+$/.test(a);
  const bNumeric = /^[0-9]+$/.test(b);
  if (aNumeric !== bNumeric) return aNumeric ? -1 : 1;
  // Numeric identifiers may exceed a double: a longer one without leading zeros is higher.
  if (aNumeric && a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
