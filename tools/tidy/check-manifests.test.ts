import { expect, test } from "vitest";
import type { Boundary } from "../boundaries.ts";
import { checkDependencies, checkLockfile, checkVersions } from "./check-manifests.ts";

function treeOf(manifests: Readonly<Record<string, object>>): Map<string, string> {
  return new Map(
    Object.entries(manifests).map(([path, manifest]) => [path, JSON.stringify(manifest)]),
  );
}

test("one version and pinned dependencies are fine; a peer may be a range", () => {
  const tree = treeOf({
    "package.json": { name: "root", devDependencies: { ts7: "npm:typescript@7.0.2" } },
    "packages/a/package.json": { name: "a", version: "0.1.0" },
    "apps/b/package.json": {
      name: "b",
      version: "0.1.0",
      dependencies: { a: "0.1.0", zod: "4.6.7" },
      peerDependencies: { ai: ">=4 <5" },
    },
  });
  expect(checkVersions(tree)).toEqual([]);
});

test("another version, a range and an older package of the workspace are refused", () => {
  const tree = treeOf({
    "package.json": { name: "root", devDependencies: { vitest: "^5.1.0" } },
    "packages/a/package.json": { name: "a", version: "0.1.0" },
    "packages/b/package.json": { name: "b", version: "0.2.0", dependencies: { a: "0.0.9" } },
  });
  expect(checkVersions(tree)).toEqual([
    "packages/b/package.json is not of version 0.1.0",
    "package.json does not pin vitest",
    "packages/b/package.json wants a 0.0.9",
  ]);
});

test("a manifest declares exactly what the table allows", () => {
  const boundary: Boundary = {
    folder: "packages/a",
    name: "a",
    workspace: ["low"],
    external: ["ajv", "ai"],
    node: [],
  };
  const declare = (dependencies: object, peerDependencies: object) =>
    checkDependencies(
      treeOf({ "packages/a/package.json": { name: "a", dependencies, peerDependencies } }),
      [boundary],
    );
  expect(declare({ low: "1.0.0", ajv: "8.0.0" }, { ai: "*" })).toEqual([]);
  expect(declare({ low: "1.0.0", ajv: "8.0.0", zod: "4.0.0" }, {})).toEqual([
    "packages/a/package.json declares zod",
    "packages/a/package.json does not declare ai",
  ]);
  expect(checkDependencies(treeOf({ "packages/x/package.json": { name: "x" } }), [])).toEqual([
    "packages/x/package.json is not in the table",
  ]);
});

const tools = ["@biomejs/biome", "oxlint", "oxlint-tsgolint", "rolldown", "ts7"];
const platforms = ["linux-x64", "linux-arm64", "darwin-arm64", "win32-x64"];

function lockfile(change: (packages: Record<string, object>) => void): string {
  const packages: Record<string, object> = {};
  for (const tool of tools) {
    const names = platforms.map((platform) => `${tool}-${platform}`);
    packages[`node_modules/${tool}`] = {
      optionalDependencies: Object.fromEntries(names.map((name) => [name, "1.0.0"])),
    };
    for (const name of names) packages[`node_modules/${name}`] = { optional: true };
  }
  change(packages);
  return JSON.stringify({ packages });
}

test("a lockfile with every platform and no address is fine", () => {
  expect(checkLockfile(lockfile(() => {}))).toEqual([]);
});

test("a platform package without an entry is missed", () => {
  const text = lockfile((packages) => delete packages["node_modules/oxlint-darwin-arm64"]);
  expect(checkLockfile(text)).toEqual([
    "oxlint-darwin-arm64, an option of node_modules/oxlint, has no entry",
  ]);
});

test("a tool that lost a platform or its entry is missed", () => {
  const text = lockfile((packages) => delete packages["node_modules/rolldown"]);
  expect(checkLockfile(text)).toHaveLength(3);
});

test("an address is refused, a folder of the workspace is not", () => {
  const text = lockfile((packages) => {
    packages["node_modules/a"] = { resolved: "packages/a", link: true };
    packages["node_modules/b"] = { resolved: "https://packages.example.com/b.tgz" };
  });
  expect(checkLockfile(text)).toEqual(["node_modules/b is resolved to an address"]);
});
