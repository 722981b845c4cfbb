import { describe, expect, test } from "vitest";
import {
  isAdoption,
  isReconciliation,
  isSameFile,
  RECONCILED_BYTES_MAX,
  RECONCILED_FILES_MAX,
} from "./reconciliation.ts";

const digest = `hmac-sha256:${"0".repeat(64)}` as const;
const state = { digest, bytes: 1, mode: 0o644 };
const file = { path: "a", recorded: state, seen: null, becomes: state };
const plan = { way: "graph-wins", root: "site", at: 1, managed: digest, files: [file] };
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...file, path: `f${index}` }));

describe("a reconciliation", () => {
  test("has one file to RECONCILED_FILES_MAX, each once", () => {
    expect(isReconciliation(plan)).toBe(true);
    expect(isReconciliation({ ...plan, files: many(RECONCILED_FILES_MAX) })).toBe(true);
    expect(isReconciliation({ ...plan, files: many(RECONCILED_FILES_MAX + 1) })).toBe(false);
    expect(isReconciliation({ ...plan, files: [] })).toBe(false);
    expect(isReconciliation({ ...plan, files: [file, file] })).toBe(false);
    // The code that makes it bounds the content that it keeps.
    expect(RECONCILED_BYTES_MAX).toBe(64 * 1024 * 1024);
  });

  test.each([
    { way: "sometimes" },
    { root: "../site" },
    { at: -1 },
    { more: true },
    { files: [{ ...file, path: "../a" }] },
    { files: [{ ...file, recorded: null }] },
    { files: [{ ...file, becomes: { ...state, digest: "sha256:0" } }] },
    { files: [{ ...file, seen: { ...state, mode: 0o10000 } }] },
    { files: [{ ...file, by: "me" }] },
  ])("is nothing else: %j", (change) => {
    expect(isReconciliation({ ...plan, ...change })).toBe(false);
  });
});

describe("an adoption", () => {
  const adopted = { path: "a", ...state };
  const adoption = { root: "site", at: 1, files: [adopted] };

  test("has files, each once, and nothing else", () => {
    expect(isAdoption(adoption)).toBe(true);
    expect(isAdoption({ ...adoption, files: [adopted, adopted] })).toBe(false);
    expect(isAdoption({ ...adoption, files: [{ ...adopted, path: "/a" }] })).toBe(false);
    expect(isAdoption({ ...adoption, way: "merge" })).toBe(false);
    expect(isAdoption(null)).toBe(false);
  });
});

test("files are the same by bytes, and by modes where both have one", () => {
  const { mode: _, ...plain } = state;
  expect(isSameFile(state, plain)).toBe(true);
  expect(isSameFile(state, { ...state, mode: 0o755 })).toBe(false);
  expect(isSameFile(null, null)).toBe(true);
  expect(isSameFile(state, null)).toBe(false);
  const other = `hmac-sha256:${"1".repeat(64)}` as const;
  expect(isSameFile(state, { ...state, digest: other })).toBe(false);
});
