import { manualClock, memoryStores } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { COPIED_ENTRIES_MAX } from "../limits.ts";
import { createContent } from "../log/content.ts";
import { copyThreads } from "./copy-threads.ts";

const blobs = { ...memoryStores(manualClock()).blobs, read: async () => encode('"w"') };
const from = createContent("a", new Uint8Array(32), blobs);
const { digest } = from.seal("w");
const word = { digest, size: 3, mediaType: "application/json", role: "user" };
const to = createContent("b", new Uint8Array(32).fill(1), blobs);

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Two threads of so many entries together, in the start of a run that copies them. */
function copyOf(count: number) {
  const threads = ["x", "y"].map((thread, index) => {
    const length = Math.floor((count + index) / 2);
    return { thread, head: "h", at: 4, kept: [], added: Array.from({ length }, () => word) };
  });
  const started = { type: "run.started", sequence: 1, content: { threads } };
  return copyThreads(
    { x: { head: "h", since: 1 }, y: { head: "h", since: 1 } },
    {
      content: from,
      readEvents: async function* () {
        yield started as unknown as LoopEvent;
      },
      isEnd: () => false,
    },
    to,
  );
}

test("COPIED_ENTRIES_MAX entries are copied, and one more is not", async () => {
  const copied = await copyOf(COPIED_ENTRIES_MAX);
  expect(copied?.threads.map(({ added }) => added.length)).toEqual([
    COPIED_ENTRIES_MAX / 2,
    COPIED_ENTRIES_MAX / 2,
  ]);
  expect(await copyOf(COPIED_ENTRIES_MAX + 1)).toBeUndefined();
});

test("numbers stay, and every digest is another", async () => {
  const copied = await copyOf(2);
  expect(copied?.threads).toMatchObject([
    { thread: "x", at: 4, kept: [], added: [{ role: "user" }] },
    { thread: "y", at: 4 },
  ]);
  expect(JSON.stringify(copied?.threads)).not.toContain(digest);
  expect(copied?.threads[0]?.head).not.toBe("h");
});
