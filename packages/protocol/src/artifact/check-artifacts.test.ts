import { expect, test } from "vitest";
import { ARTIFACTS_MAX, FILE_MODE_MAX, isArtifact, ROOT_NAME_LENGTH_MAX } from "./artifact.ts";
import { checkArtifacts } from "./check-artifacts.ts";

const digest = `sha256:${"a".repeat(64)}`;
const file = { kind: "file", root: "work", path: "a.txt", digest, bytes: 1, mode: 0o644 };
const row = { kind: "outside", root: "crm.read", path: "customers/7", digest };

test("a file and a thing of a service are artifacts, also without a mode", () => {
  const { mode: _, ...plain } = file;
  const keyed = { ...file, digest: `hmac-${digest}` };
  for (const value of [file, row, plain, keyed]) expect(isArtifact(value)).toBe(true);
  expect(checkArtifacts([file, row, { ...file, root: "other" }])).toEqual([]);
});

test("what is not exactly an artifact is none", () => {
  const wrong: readonly unknown[] = [
    ...[null, "a.txt", [], {}, { ...file, extra: 1 }, { ...row, mode: 0o644 }],
    ...[
      { ...file, path: "../a" },
      { ...file, root: "Work" },
      { ...file, root: "" },
    ],
    ...[
      { ...file, bytes: -1 },
      { ...file, bytes: 1.5 },
      { ...file, mode: FILE_MODE_MAX + 1 },
    ],
    ...[
      { ...file, digest: "sha256:A" },
      { ...file, digest: `md5:${"a".repeat(64)}` },
    ],
    ...[{ ...file, kind: "folder" }, Object.create(file)],
    { ...file, root: "r".repeat(ROOT_NAME_LENGTH_MAX + 1) },
  ];
  for (const value of wrong) expect({ value, is: isArtifact(value) }).toEqual({ value, is: false });
  expect(isArtifact({ ...file, mode: FILE_MODE_MAX })).toBe(true);
  expect(isArtifact({ ...file, root: "r".repeat(ROOT_NAME_LENGTH_MAX) })).toBe(true);
});

test("every problem of a list is named, with the path where it can be said", () => {
  const problems = checkArtifacts([
    ...[file, file, { ...file, path: "A.TXT" }, { ...file, path: "../secret" }],
    ...[{ ...file, path: "b", root: "No Name" }, { ...file, path: "c", bytes: "many" }, null],
  ]);
  expect(problems.map(({ kind, path }) => ({ kind, path }))).toEqual([
    { kind: "path", path: "" },
    { kind: "root", path: "b" },
    { kind: "artifact", path: "c" },
    { kind: "artifact", path: "" },
    { kind: "repeated", path: "a.txt" },
    { kind: "twin", path: "a.txt" },
  ]);
  expect(problems.map(({ message }) => message).join()).not.toContain("secret");
});

test("ARTIFACTS_MAX artifacts are taken, and one more is refused", () => {
  const many = Array.from({ length: ARTIFACTS_MAX }, (_, at) => ({ ...file, path: `f${at}` }));
  expect(checkArtifacts(many)).toEqual([]);
  expect(checkArtifacts([...many, row])).toMatchObject([{ kind: "count" }]);
});
