import { foldPath } from "@turnseal/protocol/artifact";
import { expect, test } from "vitest";
import { hasPassedName } from "./passed-names.ts";

const passed = new Set([".git", ".turnseal", "caf\u00e9"].map(foldPath));

test.each([
  ".git/hooks/pre-commit",
  ".GIT/config",
  "a/.Git",
  "GIT~1/hooks/x",
  "git~2",
  "a/TURNSE~1/runs.db",
  "GI7EBA~1/config",
  "a/tu09af~2/runs.db",
  ".\uff47it/config".normalize("NFKC"),
  "CAFE\u0301/x",
  "caf\u00c9",
])("%s is passed over", (path) => {
  expect(hasPassedName(path, passed)).toBe(true);
});

test.each([
  "git",
  "git/x",
  ".github/workflows/x",
  "git~/x",
  "git~x",
  "my.git",
  "TURN~1",
  "GO7EBA~1",
  "GI7EBX~1",
  "GI7EB~1",
  "a~1",
  "~1",
])("%s is not", (path) => {
  expect(hasPassedName(path, passed)).toBe(false);
});
