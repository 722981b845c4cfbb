import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listDependencies } from "./render-dependencies.ts";
import { repositoryRoot } from "./tidy/tree.ts";

const lockfile = (packages: object): string => JSON.stringify({ packages });

test("what a package needs is found as Node finds it, and named once", () => {
  const text = lockfile({
    "packages/a": { name: "@own/a", dependencies: { one: "1", "@own/b": "1" } },
    "packages/b": { name: "@own/b", dependencies: { two: "2" }, peerDependencies: { three: "3" } },
    "packages/b/node_modules/two": { version: "2.2.0" },
    "node_modules/@own/b": { link: true },
    "node_modules/one": { version: "1.0.0", dependencies: { two: "1" } },
    "node_modules/two": { version: "2.1.0", hasInstallScript: true },
    "node_modules/three": { version: "3.0.0", dependencies: { one: "1" }, license: "MIT" },
    "node_modules/four": { version: "4.0.0" },
  });
  const none = { license: "", hasInstallScript: false, isChosen: false };
  const two = { ...none, name: "two" };
  expect(listDependencies(text)).toEqual([
    { ...none, name: "one", version: "1.0.0", broughtBy: ["@own/a", "three"] },
    {
      ...none,
      name: "three",
      version: "3.0.0",
      license: "MIT",
      isChosen: true,
      broughtBy: ["@own/b"],
    },
    expect.objectContaining({
      ...two,
      version: "2.1.0",
      hasInstallScript: true,
      broughtBy: ["one"],
    }),
    { ...two, version: "2.2.0", broughtBy: ["@own/b"] },
  ]);
});

test("a peer that is optional is not needed", () => {
  const text = lockfile({
    "packages/a": { name: "@own/a", dependencies: { one: "1" } },
    "node_modules/one": {
      ...{ peerDependencies: { two: "2", three: "3" } },
      peerDependenciesMeta: { two: { optional: true } },
    },
    "node_modules/two": {},
    "node_modules/three": {},
  });
  expect(listDependencies(text).map(({ name }) => name)).toEqual(["one", "three"]);
});

test("no package that is always installed runs a script then, and of the others one does", () => {
  const all = listDependencies(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"));
  expect(all.length).toBeGreaterThan(20);
  const scripted = all.filter(({ hasInstallScript }) => hasInstallScript);
  expect(scripted.map(({ name, isChosen }) => [name, isChosen])).toEqual([["@scarf/scarf", true]]);
});
