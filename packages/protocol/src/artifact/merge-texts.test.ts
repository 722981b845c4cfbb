import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DIFF_LINES_MAX } from "./diff-lines.ts";
import { createCase } from "./merge-cases.test.data.ts";
import { MERGE_LENGTH_MAX, type MergeTexts, mergeTexts, splitLines } from "./merge-texts.ts";

const names = { base: "base", ours: "ours", theirs: "theirs" };
const merge = (base: string, ours: string, theirs: string) =>
  mergeTexts({ base, ours, theirs }, names);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-merge-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The merge of the same three texts by git. */
function mergeWithGit(texts: MergeTexts): { readonly text: string; readonly conflicts: number } {
  for (const name of ["base", "ours", "theirs"] as const)
    writeFileSync(join(folder, name), texts[name]);
  const labels = ["ours", "base", "theirs"].flatMap((name) => ["-L", name]);
  const { status, stdout } = spawnSync(
    "git",
    ["merge-file", "-p", "--diff3", ...labels, "ours", "base", "theirs"],
    { cwd: folder, encoding: "utf8" },
  );
  return { text: stdout, conflicts: status ?? -1 };
}

test("100 texts of lines that are mostly unlike are merged as git merges them, to the byte", () => {
  let conflicts = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const texts = createCase({ seed, words: 1_000_000 });
    const merged = mergeTexts(texts, names);
    const byGit = mergeWithGit(texts);
    conflicts += byGit.conflicts;
    const count = merged.kind === "conflict" ? merged.conflicts.length : 0;
    expect({ seed, merged: { ...merged, conflicts: count } }).toEqual({
      seed,
      merged: { kind: count === 0 ? "merged" : "conflict", ...byGit },
    });
  }
  expect(conflicts).toBeGreaterThan(20);
}, 60_000);

// For equal lines, several shortest descriptions of a change exist: there git and this may differ,
// and rarely do.
test("all but 2 of 100 texts of few different lines are merged, or in conflict, as by git", () => {
  const unlike: number[] = [];
  for (let seed = 1; seed <= 100; seed++) {
    const texts = createCase({ seed, words: 12 });
    const merged = mergeTexts(texts, names);
    const byGit = mergeWithGit(texts);
    const isLike =
      byGit.conflicts === 0
        ? merged.kind === "merged" && merged.text === byGit.text
        : merged.kind === "conflict";
    if (!isLike) unlike.push(seed);
  }
  expect(unlike.length).toBeLessThanOrEqual(2);
}, 60_000);

test("who is called ours decides nothing but the order in a conflict", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { base, ours, theirs } = createCase({ seed, words: 6 });
    const [one, other] = [merge(base, ours, theirs), merge(base, theirs, ours)];
    if (one.kind === "conflict" && other.kind === "conflict")
      expect(other.conflicts.map((at) => [at.base, at.theirs, at.ours])).toEqual(
        one.conflicts.map((at) => [at.base, at.ours, at.theirs]),
      );
    else expect(other).toEqual(one);
  }
});

test("what only one has changed is taken, and what both have changed alike is taken once", () => {
  const base = "a\nb\nc\nd\ne\n";
  const cases: readonly (readonly [string, string, string])[] = [
    ["a\nB\nc\nd\ne\n", base, "a\nB\nc\nd\ne\n"],
    [base, "", ""],
    ["a\nB\nc\nd\ne\n", "a\nB\nc\nd\ne\n", "a\nB\nc\nd\ne\n"],
    ["A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n"],
    ["0\na\nb\nc\nd\ne\n", "a\nb\nc\nd\ne\nf\n", "0\na\nb\nc\nd\ne\nf\n"],
    ["a\nX\nc\nd\n", "a\nX\nc\nd\ne\nf\n", "conflict"],
    ["a\nc\nd\ne\n", "a\nb\nc\ne", "a\nc\ne"],
  ];
  for (const [ours, theirs, wanted] of cases) {
    const merged = merge(base, ours, theirs);
    expect(merged).toEqual(
      wanted === "conflict"
        ? expect.objectContaining({ kind: "conflict" })
        : { kind: "merged", text: wanted },
    );
  }
});

test("a conflict is shown with what each has, and where it stands", () => {
  const merged = merge("a\nb\nc\n", "a\nours\nc\n", "a\ntheirs");
  expect(merged).toEqual({
    kind: "conflict",
    text: "a\n<<<<<<< ours\nours\nc\n||||||| base\nb\nc\n=======\ntheirs\n>>>>>>> theirs\n",
    conflicts: [{ line: 2, base: "b\nc\n", ours: "ours\nc\n", theirs: "theirs" }],
  });
});

test("changes that touch are a conflict, and with a line between them they are none", () => {
  expect(merge("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n").kind).toBe("conflict");
  expect(merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")).toEqual({
    kind: "merged",
    text: "A\nb\nC\n",
  });
});

test("DIFF_LINES_MAX changed lines are merged, and one more is refused", () => {
  const added = (count: number) => "new\n".repeat(count);
  const theirs = "a\nb\nC\n";
  expect(merge("a\nb\nc\n", `${added(DIFF_LINES_MAX)}a\nb\nc\n`, theirs)).toEqual({
    kind: "merged",
    text: `${added(DIFF_LINES_MAX)}a\nb\nC\n`,
  });
  expect(merge("a\nb\nc\n", `${added(DIFF_LINES_MAX + 1)}a\nb\nc\n`, theirs)).toEqual({
    kind: "refused",
    reason: "too-different",
  });
});

test("a text of MERGE_LENGTH_MAX is merged, and a longer one is refused", () => {
  const long = `${"x".repeat(MERGE_LENGTH_MAX - 3)}\n`;
  // Only their kinds are compared: nobody wants to read how texts of this size differ.
  const kinds = (ours: string) => {
    const merged = merge(`${long}a\n`, ours, `${long}b\n`);
    return merged.kind === "refused" ? merged.reason : merged.kind;
  };
  expect(kinds(`0\n${long}`)).toBe("conflict");
  expect(kinds(`0\n${long}.`)).toBe("too-long");
});

test("the lines of a text, put together, are the text", () => {
  for (const text of ["", "\n", "a", "a\n", "a\n\n", "a\r\nb", "\n\nb\n"])
    expect(splitLines(text).join("")).toBe(text);
  expect(splitLines("a\n\nb")).toEqual(["a\n", "\n", "b"]);
});
