import { expect, test } from "vitest";
import { createThread } from "./thread.ts";
import { createThreadCache, THREAD_CACHE_BYTES_MAX } from "./thread-cache.ts";

function threadOf(name: string, length: number) {
  const thread = createThread(name);
  thread.say([{ role: "user", text: "x".repeat(length) }]);
  thread.record({ head: `head of ${name}`, since: 1 });
  return thread;
}

test("a thread is found by run, name and head, and whoever takes it has it alone", () => {
  const cache = createThreadCache();
  const thread = threadOf("/", 10);
  cache.put("run", thread);
  expect(cache.take("other", "/", "head of /")).toBeUndefined();
  expect(cache.take("run", "notes", "head of /")).toBeUndefined();
  expect(cache.take("run", "/", "another head")).toBeUndefined();
  expect(cache.take("run", "/", "head of /")).toBe(thread);
  expect(cache.take("run", "/", "head of /")).toBeUndefined();
});

test("a thread that nobody has recorded is not kept", () => {
  const cache = createThreadCache();
  cache.put("run", createThread("/"));
  expect(cache.take("run", "/", "null")).toBeUndefined();
});

test("the oldest go where there is no room, and what is larger than all of it is not kept", () => {
  const bytes = threadOf("a", 100).wholeBytes();
  const cache = createThreadCache(2 * bytes);
  for (const name of ["a", "b"]) cache.put("run", threadOf(name, 100));
  expect(cache.take("run", "a", "head of a")?.name).toBe("a");
  cache.put("run", threadOf("a", 100));
  cache.put("run", threadOf("c", 100));
  expect(cache.take("run", "b", "head of b")).toBeUndefined();
  expect(cache.take("run", "c", "head of c")?.name).toBe("c");
  cache.put("run", threadOf("d", 2 * bytes + 100));
  expect(cache.take("run", "d", "head of d")).toBeUndefined();
});

test("what stands before the entries counts, too", () => {
  const thread = threadOf("a", 10);
  const head = [{ role: "system" as const, text: "x".repeat(1_000) }];
  const shown = { head, kept: [], from: 0 };
  thread.record({ head: "head of a", since: 2, shown });
  const cache = createThreadCache(900);
  cache.put("run", thread);
  expect(cache.take("run", "a", "head of a")).toBeUndefined();
});

test("without a word of it, THREAD_CACHE_BYTES_MAX is the room", () => {
  const cache = createThreadCache();
  const bytes = threadOf("a", 0).wholeBytes();
  cache.put("run", threadOf("a", THREAD_CACHE_BYTES_MAX - bytes));
  expect(cache.take("run", "a", "head of a")?.name).toBe("a");
  cache.put("run", threadOf("b", THREAD_CACHE_BYTES_MAX - bytes + 1));
  expect(cache.take("run", "b", "head of b")).toBeUndefined();
});
