import { manualClock, memoryStores } from "@turnseal/ports";
import { expect, test } from "vitest";
import { THREADS_MAX } from "../limits.ts";
import { createContent } from "../log/content.ts";
import { createThreads } from "./threads.ts";

const content = createContent("a", new Uint8Array(32), memoryStores(manualClock()).blobs);

function open() {
  return createThreads({ run: "a", turn: 1, content, history: undefined });
}

test("a run has THREADS_MAX threads, and no more; each can be opened again", async () => {
  const threads = open();
  for (let index = 0; index < THREADS_MAX; index++)
    expect((await threads.open(`t${index}`)).kind).toBe("ok");
  expect(await threads.open("t0")).toMatchObject({ kind: "ok" });
  expect(await threads.open("one-more")).toMatchObject({
    kind: "error",
    error: { code: "BUDGET_EXCEEDED" },
  });
});

test("only threads that went on are recorded, and what they end with", async () => {
  const threads = open();
  await threads.open("silent");
  const spoken = await threads.open("spoken");
  if (spoken.kind !== "ok") throw new Error("it is opened");
  spoken.value.say([{ role: "user", text: "hello" }]);
  const { ends, blobs } = threads.end();
  expect(ends).toMatchObject([{ thread: "spoken", at: 0, added: [{ role: "user" }] }]);
  expect(ends[0]).not.toHaveProperty("since");
  expect(blobs).toHaveLength(1);
  threads.close(7);
  expect([spoken.value.head(), spoken.value.since()]).toEqual([ends[0]?.head, 7]);
  expect(threads.end().ends).toMatchObject([{ head: ends[0]?.head, at: 1, added: [], since: 7 }]);
});

test("one call at a time has a thread", async () => {
  const first = await open().open("/");
  if (first.kind !== "ok") throw new Error("it is opened");
  expect([first.value.hold(), first.value.hold()]).toEqual([true, false]);
  first.value.release();
  expect(first.value.hold()).toBe(true);
});
