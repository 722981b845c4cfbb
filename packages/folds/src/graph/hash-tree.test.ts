import { uuidFrom } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createHashTree } from "./hash-tree.ts";

const ids = Array.from({ length: 3_000 }, (_, index) => uuidFrom(`node ${index}`));

test("what came and went between two readings takes nobody else's place", () => {
  const first = ids[0] ?? "";
  // It begins like the first, and goes before anybody asks.
  const alike = `${first.slice(0, -1)}${first.endsWith("0") ? "1" : "0"}`;
  const tree = createHashTree();
  tree.put(first, () => "one");
  const alone = tree.read();
  tree.put(alike, () => "two");
  tree.remove(alike);
  expect(tree.read()).toBe(alone);
  tree.remove(alike);
  expect(tree.read()).toBe(alone);
});

test("the hash is the same however often it was asked for, and whatever was there before", () => {
  const [asked, quiet] = [createHashTree(), createHashTree()];
  for (const [index, id] of ids.entries()) {
    asked.put(id, () => `${index}`);
    if (index % 100 === 0) asked.read();
    if (index % 3 === 0) asked.remove(id);
  }
  for (const [index, id] of ids.toReversed().entries())
    if ((ids.length - 1 - index) % 3 !== 0) quiet.put(id, () => `${ids.length - 1 - index}`);
  expect(asked.read()).toBe(quiet.read());
});
