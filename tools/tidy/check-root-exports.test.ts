import { expect, test } from "vitest";
import { checkRootExports } from "./check-root-exports.ts";

const root = "packages/protocol/src/index.ts";
const exported = 'export { type Grant, parseGrant } from "./grant.ts";';
const unused = (name: string) =>
  `${root} exports ${name}, which nothing outside of the package imports`;
const check = (files: Readonly<Record<string, string>>) =>
  checkRootExports(new Map(Object.entries({ [root]: exported, ...files })));

test("what nobody imports is found", () => {
  expect(check({})).toEqual([unused("Grant"), unused("parseGrant")]);
  expect(check({ "apps/a.ts": 'import { parseGrant } from "@turnseal/protocol";' })).toEqual([
    unused("Grant"),
  ]);
});

test.each([
  ["packages/host/src/a.ts", 'import { type Grant, parseGrant } from "@turnseal/protocol";'],
  ["tools/a.test.ts", 'import { Grant as G, parseGrant as p } from "@turnseal/protocol";'],
  ["apps/cli/src/index.ts", 'export { type Grant, parseGrant } from "@turnseal/protocol";'],
  ["examples/a.mjs", 'import { Grant, parseGrant } from "@turnseal/protocol";'],
  ["docs/a.md", '```ts no-run\nimport { Grant, parseGrant } from "@turnseal/protocol";\n```\n'],
])("what %s imports is used", (path, text) => {
  expect(check({ [path]: text })).toEqual([]);
});

test.each([
  ["packages/protocol/src/a.test.ts", 'import { Grant, parseGrant } from "@turnseal/protocol";'],
  ["packages/host/src/a.ts", 'import { Grant, parseGrant } from "@turnseal/protocol/trace";'],
  ["packages/host/src/a.ts", 'import { Grant, parseGrant } from "./grant.ts";'],
  ["packages/host/src/a.ts", "const Grant = parseGrant; // @turnseal/protocol"],
  ["docs/a.md", 'import { Grant, parseGrant } from "@turnseal/protocol";\n'],
])("what %s says does not count", (path, text) => {
  expect(check({ [path]: text })).toHaveLength(2);
});
