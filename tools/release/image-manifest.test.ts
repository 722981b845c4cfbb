import { expect, test } from "vitest";
import type { Boundary } from "../boundaries.ts";
import { createImageManifest, tarballOf } from "./image-manifest.ts";

const boundary = (name: string, workspace: string[], external: string[] = []): Boundary => ({
  ...{ folder: name, name, workspace, external, node: [] },
});

const boundaries = [
  boundary("@turnseal/low", [], ["pg"]),
  boundary("@turnseal/client", ["@turnseal/low"], ["react"]),
  boundary("turnseal", ["@turnseal/low"], ["pg", "@restatedev/restate-server", "@types/none"]),
];
const pinned = { pg: "8.0.0", react: "19.0.0", "@restatedev/restate-server": "1.0.0" };

test("the command and the libraries that it may load are in; nothing else is", () => {
  const lockfile = { packages: {} };
  expect(createImageManifest({ boundaries, version: "0.1.0", pinned, lockfile })).toEqual({
    ...{ private: true, type: "module", overrides: {} },
    dependencies: {
      turnseal: "file:packages/turnseal-0.1.0.tgz",
      pg: "8.0.0",
    },
  });
});

test("what is below is held to the version of the lockfile, where there is one", () => {
  const packages = {
    "": { version: "1.0.0" },
    "apps/cli": { version: "0.1.0" },
    "node_modules/turnseal": { link: true },
    "node_modules/pg-pool": { version: "3.1.0" },
    "node_modules/ws": { version: "8.0.0" },
    "node_modules/a/node_modules/ws": { version: "7.0.0" },
    "node_modules/a/node_modules/@b/c": { version: "2.0.0" },
  };
  const { overrides } = createImageManifest({
    ...{ boundaries, version: "0.1.0", pinned, lockfile: { packages } },
  });
  expect(overrides).toEqual({ "pg-pool": "3.1.0", "@b/c": "2.0.0" });
});

test("a tarball is named as npm names it", () => {
  expect(tarballOf("@turnseal/low", "0.1.0")).toBe("turnseal-low-0.1.0.tgz");
  expect(tarballOf("turnseal", "0.1.0")).toBe("turnseal-0.1.0.tgz");
});
