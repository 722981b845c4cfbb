import { expect, test } from "vitest";
import type { FileState } from "./artifact.ts";
import { classifyDrift, type Drift, type DriftQuestion } from "./classify-drift.ts";

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}` as const;
const state = (letter: string, mode = 0o644): FileState => ({
  digest: digestOf(letter),
  bytes: 10,
  mode,
});
const ONE = state("a");
const TWO = state("b");
const THREE = state("c");
const EMPTY: FileState = { digest: digestOf("e"), bytes: 0, mode: 0o644 };
const at = (path: string, file: FileState) => ({ path, ...file });
const found = (path: string, file: FileState) => ({ kind: "file", path, ...file }) as const;
const link = (path: string) => ({ kind: "link", path }) as const;

interface Scripted extends DriftQuestion {
  readonly name: string;
  readonly drifts: readonly Drift[];
}

const managed = { folders: [""] };
const cases: readonly Scripted[] = [
  {
    name: "nothing is recorded, and nothing is there",
    ...{ recorded: [], observed: [], ...managed, drifts: [] },
  },
  {
    name: "a file that was touched is the same",
    ...{ recorded: [at("a", ONE)], observed: [found("a", ONE)], drifts: [] },
  },
  {
    name: "what is said twice stands for no other file",
    ...{ recorded: [at("a", ONE), at("b", ONE)], observed: [found("a", ONE), found("a", ONE)] },
    drifts: [{ kind: "deleted", path: "b", before: ONE }],
  },
  {
    name: "other bytes are a modification",
    ...{ recorded: [at("a", ONE)], observed: [found("a", TWO)] },
    drifts: [{ kind: "modified", path: "a", before: ONE, after: TWO }],
  },
  {
    name: "other bytes with another mode are one modification",
    ...{ recorded: [at("a", ONE)], observed: [found("a", state("b", 0o755))] },
    drifts: [{ kind: "modified", path: "a", before: ONE, after: state("b", 0o755) }],
  },
  {
    name: "another mode alone is a change of mode",
    ...{ recorded: [at("a", ONE)], observed: [found("a", state("a", 0o755))] },
    drifts: [{ kind: "mode-changed", path: "a", before: ONE, after: state("a", 0o755) }],
  },
  {
    name: "where a platform has no modes none is compared",
    recorded: [at("a", ONE)],
    ...{ observed: [{ kind: "file", path: "a", digest: ONE.digest, bytes: 10 }], drifts: [] },
  },
  {
    name: "what is not there was deleted",
    ...{ recorded: [at("a", ONE)], observed: [] },
    drifts: [{ kind: "deleted", path: "a", before: ONE }],
  },
  {
    name: "a file in a managed folder that nobody recorded was created",
    ...{ recorded: [], observed: [found("d/a", ONE)], folders: ["d"] },
    drifts: [{ kind: "created", path: "d/a", after: found("d/a", ONE) }],
  },
  {
    name: "a file that nobody recorded elsewhere is nothing",
    ...{
      recorded: [],
      observed: [found("d2/a", ONE), found("e", TWO)],
      folders: ["d"],
      drifts: [],
    },
  },
  {
    name: "one file gone and one new with its bytes are a rename",
    ...{ recorded: [at("a", ONE)], observed: [found("b", ONE)], ...managed },
    drifts: [{ kind: "renamed", path: "a", to: "b", before: ONE, after: ONE }],
  },
  {
    name: "a rename tells of a mode that changed with it",
    ...{ recorded: [at("a", ONE)], observed: [found("b", state("a", 0o600))], ...managed },
    drifts: [{ kind: "renamed", path: "a", to: "b", before: ONE, after: state("a", 0o600) }],
  },
  {
    name: "a name in another case is a rename, and no twin",
    ...{ recorded: [at("Readme", ONE)], observed: [found("README", ONE)], ...managed },
    drifts: [{ kind: "renamed", path: "Readme", to: "README", before: ONE, after: ONE }],
  },
  {
    name: "outside of managed folders a new name is not known",
    ...{ recorded: [at("a", ONE)], observed: [found("b", ONE)] },
    drifts: [{ kind: "deleted", path: "a", before: ONE }],
  },
  {
    name: "two files gone and one new with their bytes are no rename",
    ...{ recorded: [at("a", ONE), at("b", ONE)], observed: [found("c", ONE)], ...managed },
    drifts: [
      { kind: "deleted", path: "a", before: ONE },
      { kind: "deleted", path: "b", before: ONE },
      { kind: "created", path: "c", after: found("c", ONE) },
    ],
  },
  {
    name: "one file gone and two new with its bytes are no rename",
    ...{ recorded: [at("a", ONE)], observed: [found("b", ONE), found("c", ONE)], ...managed },
    drifts: [
      { kind: "deleted", path: "a", before: ONE },
      { kind: "created", path: "b", after: found("b", ONE) },
      { kind: "created", path: "c", after: found("c", ONE) },
    ],
  },
  {
    name: "an empty file has nothing to be known by",
    ...{ recorded: [at("a", EMPTY)], observed: [found("b", EMPTY)], ...managed },
    drifts: [
      { kind: "deleted", path: "a", before: EMPTY },
      { kind: "created", path: "b", after: found("b", EMPTY) },
    ],
  },
  {
    name: "a copy beside its original was created",
    ...{ recorded: [at("a", ONE)], observed: [found("a", ONE), found("b", ONE)], ...managed },
    drifts: [{ kind: "created", path: "b", after: found("b", ONE) }],
  },
  {
    name: "two files that changed places are two modifications",
    ...{
      recorded: [at("a", ONE), at("b", TWO)],
      observed: [found("a", TWO), found("b", ONE)],
      ...managed,
    },
    drifts: [
      { kind: "modified", path: "a", before: ONE, after: TWO },
      { kind: "modified", path: "b", before: TWO, after: ONE },
    ],
  },
  {
    name: "a file that was moved away and made anew is a modification, and its copy is new",
    ...{ recorded: [at("a", ONE)], observed: [found("a", TWO), found("old", ONE)], ...managed },
    drifts: [
      { kind: "modified", path: "a", before: ONE, after: TWO },
      { kind: "created", path: "old", after: found("old", ONE) },
    ],
  },
  {
    name: "a renamed folder is a rename of each of its files",
    ...{ recorded: [at("x/a", ONE), at("x/b", TWO)], ...managed },
    observed: [found("y/a", ONE), { kind: "folder", path: "y" }, found("y/b", TWO)],
    drifts: [
      { kind: "renamed", path: "x/a", to: "y/a", before: ONE, after: ONE },
      { kind: "renamed", path: "x/b", to: "y/b", before: TWO, after: TWO },
    ],
  },
  {
    name: "a link in the place of a file replaces it",
    ...{ recorded: [at("a", ONE)], observed: [link("a")], ...managed },
    drifts: [{ kind: "replaced", path: "a", before: ONE, by: "link" }],
  },
  {
    name: "a folder or a pipe in the place of a file replaces it",
    recorded: [at("a", ONE), at("b", TWO)],
    observed: [
      { kind: "folder", path: "a" },
      { kind: "special", path: "b" },
    ],
    drifts: [
      { kind: "replaced", path: "a", before: ONE, by: "folder" },
      { kind: "replaced", path: "b", before: TWO, by: "special" },
    ],
  },
  {
    name: "a new link in a managed folder was created, and is the new name of nothing",
    ...{ recorded: [at("a", ONE)], observed: [link("b")], ...managed },
    drifts: [
      { kind: "deleted", path: "a", before: ONE },
      { kind: "created", path: "b", after: link("b") },
    ],
  },
  {
    name: "a new folder alone is nothing",
    ...{ recorded: [], observed: [{ kind: "folder", path: "d" }], ...managed, drifts: [] },
  },
  {
    name: "a new file that differs from a recorded one in case alone is named as its twin",
    ...{
      recorded: [at("a.txt", ONE)],
      observed: [found("a.txt", ONE), found("A.txt", TWO)],
      ...managed,
    },
    drifts: [{ kind: "created", path: "A.txt", after: found("A.txt", TWO), twinOf: "a.txt" }],
  },
  {
    name: "what changes while it is read, or may not be read, is never the same",
    recorded: [at("a", ONE), at("b", TWO), at("c", THREE)],
    observed: [
      { kind: "unread", path: "a", reason: "changing" },
      { kind: "unread", path: "b", reason: "denied" },
      found("c", THREE),
    ],
    drifts: [
      { kind: "unread", path: "a", before: ONE, reason: "changing" },
      { kind: "unread", path: "b", before: TWO, reason: "denied" },
    ],
  },
];

for (const { name, drifts, ...question } of cases)
  test(name, () => expect(classifyDrift(question)).toEqual(drifts));

test("the order in which things are said decides nothing", () => {
  for (const { drifts, recorded, observed, ...rest } of cases)
    expect(
      classifyDrift({
        recorded: recorded.toReversed(),
        observed: observed.toReversed(),
        ...rest,
      }),
    ).toEqual(drifts);
});

test("10,000 files that were renamed at once are 10,000 renames", () => {
  const count = 10_000;
  const states = Array.from({ length: count }, (_, index): FileState => {
    const digest = `sha256:${String(index).padStart(64, "0")}` as const;
    return { digest, bytes: 1, mode: 0o644 };
  });
  const drifts = classifyDrift({
    recorded: states.map((file, index) => at(`old/${index}`, file)),
    observed: states.map((file, index) => found(`new/${index}`, file)),
    folders: [""],
  });
  expect(drifts).toHaveLength(count);
  expect(new Set(drifts.map(({ kind }) => kind))).toEqual(new Set(["renamed"]));
});
