import type { LoopEvent } from "@turnseal/protocol";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { expect, test } from "vitest";
import { createPieces, ENDED_ACTIONS_MAX, type Pieces } from "./pieces.ts";

const RUN = "00000000-0000-4000-8000-000000000001";
const piece = (part: Partial<LiveDelta>): LiveDelta => ({
  ...{ run: RUN, turn: 1, kind: "text", key: "a", part: 0, epoch: 1, offset: 0, text: "x" },
  ...part,
});
const ended = (type: string, key: string, status: string) =>
  ({ type, content: { key, status } }) as unknown as LoopEvent;
/** The texts of a reader who joins now; and the later ones. */
function join(pieces: Pieces): string[] {
  const told: string[] = [];
  pieces.watch((bytes) => {
    const data = new TextDecoder().decode(bytes).split("data: ")[1] ?? "";
    told.push(JSON.parse(data).text);
  });
  return told;
}

test("whoever joins is told what is written, and no message that is stored", () => {
  const pieces = createPieces(RUN);
  pieces.publish(piece({ text: "one " }));
  pieces.publish(piece({ offset: 4, text: "two" }));
  expect(join(pieces)).toEqual(["one two"]);
  pieces.apply(ended("action.settled", "a", "ok"));
  expect(join(pieces)).toEqual([]);
  expect(pieces.hasOpen()).toBe(false);
});

test("a piece of a stored message is late, until ENDED_ACTIONS_MAX others have ended", () => {
  const pieces = createPieces(RUN);
  const told = join(pieces);
  pieces.apply(ended("action.settled", "a", "ok"));
  for (let index = 1; index < ENDED_ACTIONS_MAX; index++)
    pieces.apply(ended("action.settled", `other ${index}`, "ok"));
  pieces.publish(piece({}));
  expect(told).toEqual([]);
  pieces.apply(ended("action.settled", "one more", "ok"));
  pieces.publish(piece({}));
  expect(told).toEqual(["x"]);
});

test("what was seen of an answer that failed is taken back", () => {
  const pieces = createPieces(RUN);
  pieces.publish(piece({ text: "half an ans" }));
  const told = join(pieces);
  pieces.apply(ended("action.settled", "a", "failed"));
  expect(told).toEqual(["half an ans", ""]);
});

test("an action that is unknown may be written again under the same key", () => {
  const pieces = createPieces(RUN);
  pieces.publish(piece({ text: "half" }));
  pieces.apply(ended("action.unknown", "a", "orphaned"));
  pieces.publish(piece({ epoch: 2, text: "whole" }));
  expect(join(pieces)).toEqual(["whole"]);
});

test("pieces of another run, and events that end nothing, change nothing", () => {
  const pieces = createPieces(RUN);
  pieces.publish(piece({ run: "another" }));
  expect(pieces.hasOpen()).toBe(false);
  pieces.publish(piece({}));
  pieces.apply(ended("action.claimed", "a", "ok"));
  expect(join(pieces)).toEqual(["x"]);
});
