// Content that is written, withdrawn and stored: the reader ends with the stored message, for any
// pieces before.

import type { EventEnvelope } from "@turnseal/protocol/events";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { expect, test } from "vitest";
import { applyChunk, type UiPart } from "./apply-chunk.ts";
import { createTurnChunks } from "./turn-chunks.ts";
import { createWrittenParts, WRITTEN_LENGTH_MAX, WRITTEN_PARTS_MAX } from "./written-parts.ts";

const run = "00000000-0000-4000-8000-000000000001";
const delta = (key: string, text: string, more: Partial<LiveDelta> = {}): LiveDelta => ({
  ...{ run, turn: 1, kind: "text", key, part: 0, epoch: 1, offset: 0, text },
  ...more,
});
let sequence = 0;
function envelope(type: string, content: object, message?: string): EventEnvelope {
  sequence += 1;
  const named = message === undefined ? {} : { message };
  const id = `${run}/${sequence}.0`;
  const createdAt = "2026-01-01T00:00:00.000Z";
  const place = { id, run, sequence, createdAt, generationId: `${run}/1` };
  return { ...place, type, content, ...named } as unknown as EventEnvelope;
}
const said = (key: string, text: string) => envelope("assistant-message", { text }, `${key}.0`);

function open() {
  let parts: readonly UiPart[] = [];
  const types: string[] = [];
  const turn = createTurnChunks((chunk) => {
    types.push(chunk.type);
    parts = applyChunk(parts, chunk);
  });
  return {
    ...{ turn, types },
    texts: () => parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])),
    parts: () => parts,
  };
}

test("words grow, and the stored ones end them without a word twice", () => {
  const { turn, types, texts } = open();
  turn.delta(delta("a", "one "));
  turn.delta(delta("a", "two ", { offset: 4 }));
  turn.delta(delta("a", "lost", { offset: 99 }));
  expect(texts()).toEqual(["one two "]);
  turn.event(said("a", "one two three"));
  turn.end();
  expect(texts()).toEqual(["one two three"]);
  expect(types).not.toContain("reset-step");
});

test("what was summarised is a part of the message that was the first to be said from it", () => {
  const { turn, parts } = open();
  const summarized = { from: 0, to: 6 };
  turn.delta(delta("a", "one"));
  turn.event(envelope("assistant-message", { text: "one", summarized }, "a.0"));
  turn.event(said("b", "two"));
  turn.end();
  expect(parts().filter(({ type }) => type === "data-summarized")).toEqual([
    expect.objectContaining({ data: summarized }),
  ]);
});

test("what is stored otherwise takes the place of what was shown", () => {
  const { turn, types, texts } = open();
  turn.delta(delta("a", "secret"));
  turn.event(said("a", "[hidden]"));
  expect(texts()).toEqual(["[hidden]"]);
  expect(types).toContain("reset-step");
});

test("an attempt that begins again, or fails, leaves nothing of the earlier one", () => {
  const { turn, texts } = open();
  turn.delta(delta("a", "first"));
  turn.delta(delta("a", "second", { epoch: 2 }));
  turn.delta(delta("a", " late", { offset: 5 }));
  expect(texts()).toEqual(["second"]);
  turn.delta(delta("a", "", { epoch: 2 }));
  expect(texts()).toEqual([]);
  turn.end();
});

test("of two answers at the same time one is shown; in the end they stand as in the log", () => {
  const { turn, texts } = open();
  turn.delta(delta("a", "from a"));
  turn.delta(delta("b", "from b"));
  expect(texts()).toEqual(["from a"]);
  turn.event(said("b", "from b, whole"));
  expect(texts()).toEqual(["from b, whole", "from a"]);
  turn.event(said("a", "from a, whole"));
  turn.end();
  expect(texts()).toEqual(["from b, whole", "from a, whole"]);
});

test("a stop and a failure take back what was not stored", () => {
  for (const type of ["user-abort", "generation-failure"]) {
    const { turn, texts, parts } = open();
    turn.event(said("a", "kept"));
    turn.delta(delta("b", "half a"));
    turn.event(envelope(type, { generationId: `${run}/1`, error: "x" }));
    turn.delta(delta("b", "half a wor"));
    turn.end();
    expect(texts()).toEqual(["kept"]);
    expect(parts().at(-1)?.type).toMatch(/^data-/);
  }
});

test("parts that are written are bounded, in number and in length", () => {
  const written = createWrittenParts();
  for (let index = 0; index <= WRITTEN_PARTS_MAX; index += 1)
    written.take(delta(`key ${index}`, "x"));
  expect(written.list().size).toBe(WRITTEN_PARTS_MAX);
  written.take(delta("key 0", "y".repeat(WRITTEN_LENGTH_MAX), { offset: 1 }));
  expect(written.list().get("key 0.0")?.text).toHaveLength(WRITTEN_LENGTH_MAX);
});
