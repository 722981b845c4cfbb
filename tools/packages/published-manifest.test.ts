import { expect, test } from "vitest";
import { publishedManifest } from "./published-manifest.ts";
import type { Manifest } from "./read-manifest.ts";

const inside: Manifest = {
  name: "@turnseal/inside",
  dependencies: { "@turnseal/inside": "0.1.0", small: "1.0.0" },
  peerDependencies: { pg: ">=8" },
  peerDependenciesMeta: { pg: { optional: true } },
};
const manifest: Manifest = {
  name: "a",
  exports: {
    ".": { "turnseal-source": "./src/index.ts", types: "./dist/index.d.ts", default: "./x.js" },
    "./inner": { "turnseal-source": "./src/inner.ts" },
  },
  dependencies: { "@turnseal/inside": "0.1.0", commander: "15.1.0" },
};
const types = new Map([[".", "./dist/types/a/index.d.ts"]]);
const publish = (libraries: readonly string[]) =>
  publishedManifest(manifest, { libraries, types }, () => inside);

test("an entry with only a source is not published, and types lead to the copied ones", () => {
  expect(publish([]).exports).toEqual({
    ".": { types: "./dist/types/a/index.d.ts", default: "./x.js" },
  });
});

test("libraries of the packages inside take the place of those packages", () => {
  expect(publish(["small/part", "pg"])).toMatchObject({
    dependencies: { commander: "15.1.0", small: "1.0.0" },
    peerDependencies: { pg: ">=8" },
    peerDependenciesMeta: { pg: { optional: true } },
  });
  expect(publish([]).dependencies).not.toHaveProperty("@turnseal/inside");
});

test("a library that nothing declares is refused", () => {
  expect(() => publish(["@scope/large/part"])).toThrow(
    "a imports @scope/large and does not declare it",
  );
});
