// The stated memory limits, at the stated sizes. A thousand runs take too long for here: `npm run
// bench -- memory` has them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measureWork } from "./memory.ts";
import { CALLS_AT_ONCE, LARGE_BLOB_BYTES, type MemoryWork, statedMemory } from "./memory-work.ts";

test("what is measured is what is stated", () => {
  expect([LARGE_BLOB_BYTES, CALLS_AT_ONCE]).toEqual([100_000_000, 1_000]);
  const text = readFileSync(new URL("../docs/map.md", import.meta.url), "utf8");
  const stated = /^- \*\*Memory\*\*.*?(?=\n-)/ms.exec(text)?.[0] ?? "";
  const figures = [...stated.matchAll(/at most (\d+) MB/g)].map(([, mb]) => Number(mb) * 1_000_000);
  const { "blob, memory": inMemory, "blob, SQLite": onFile, ...atOnce } = statedMemory;
  expect(inMemory).toEqual(onFile);
  expect(figures).toEqual([inMemory, ...Object.values(atOnce)].map(({ bytesMax }) => bytesMax));
});

test.each<MemoryWork>(["blob, memory", "blob, SQLite", "calls at once"])(
  "%s stays within its stated memory",
  { timeout: 60_000 },
  (name) => {
    const { size, bytesMax } = statedMemory[name];
    const grownBytes = measureWork(name, size);
    expect(grownBytes).toBeGreaterThan(0);
    expect(grownBytes).toBeLessThanOrEqual(bytesMax);
  },
);

test("work that cannot be done is said so, and not measured", () => {
  expect(() => measureWork("nothing" as MemoryWork, 1)).toThrow(/did not come to its end/);
});
