import { expect, test } from "vitest";
import { checkEventReads } from "./check-event-reads.ts";

// In two parts, so that the rule does not find its own test.
const name = '["tool"]';
const read = `const tool = event.content${name};`;

test.each([
  read,
  `const tool = event.content${name.replaceAll('"', "'")};`,
  `const tool = event?.content?.${name};`,
  `const tool = (event.content)${name};`,
])("a field by its name is found: %s", (line) => {
  expect(checkEventReads(new Map([["packages/host/src/a.ts", `\n${line}`]]))).toEqual([
    "packages/host/src/a.ts:2 reads a field of an event by its name",
  ]);
});

test.each(["const { tool } = event.content;", "event.content.tool;", 'contents["tool"];'])(
  "a field by its type is not: %s",
  (line) => {
    expect(checkEventReads(new Map([["packages/host/src/a.ts", line]]))).toEqual([]);
  },
);

test("whoever verifies reads raw events, and nobody else does", () => {
  const found = (path: string) => checkEventReads(new Map([[path, read]]));
  expect(found("packages/protocol/src/verify/a.ts")).toEqual([]);
  expect(found("packages/protocol/src/trace/a.ts")).toHaveLength(1);
  expect(found("proofs/simulate/a.test.ts")).toHaveLength(1);
});
