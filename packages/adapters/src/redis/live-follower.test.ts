import type { LiveDelta } from "@turnseal/protocol/streaming";
import { expect, test } from "vitest";
import { createFollower, LIVE_ASIDE_MAX, LIVE_FOLLOWED_MAX } from "./live-follower.ts";

const piece = (part: Partial<LiveDelta>): LiveDelta => ({
  ...{ run: "run", turn: 1, kind: "text", key: "a", part: 0, epoch: 1, offset: 0, text: "x" },
  ...part,
});

function follow() {
  const told: LiveDelta[] = [];
  const follower = createFollower({ delta: (delta) => void told.push(delta), moved: () => {} });
  return { follower, told };
}

test("what comes while it joins is told after what was written before, and not twice", () => {
  const { follower, told } = follow();
  follower.hear({ number: 5, delta: piece({ offset: 1, text: "b" }) });
  follower.hear({ number: 6, delta: piece({ offset: 2, text: "c" }) });
  expect(told).toEqual([]);
  follower.join({ number: 5, messages: [piece({ text: "ab" })] });
  follower.hear({ number: 4, delta: piece({ text: "a" }) });
  follower.hear({ number: 7, delta: piece({ offset: 3, text: "d" }) });
  expect(told.map(({ text }) => text)).toEqual(["ab", "c", "d"]);
});

test("who joins again is told what is missing, and the whole of a new attempt", () => {
  const { follower, told } = follow();
  follower.join({ number: 1, messages: [piece({ text: "ab" }), piece({ key: "b", text: "old" })] });
  follower.beginJoin();
  follower.join({
    number: 9,
    messages: [piece({ text: "abcd" }), piece({ key: "b", epoch: 2, text: "new" })],
  });
  expect(told.slice(2)).toEqual([
    piece({ offset: 2, text: "cd" }),
    piece({ key: "b", epoch: 2, text: "new" }),
  ]);
});

test("who joins again and has missed nothing is told nothing", () => {
  const { follower, told } = follow();
  follower.join({ number: 1, messages: [piece({ text: "ab" })] });
  follower.beginJoin();
  follower.join({ number: 1, messages: [piece({ text: "ab" })] });
  expect(told).toHaveLength(1);
});

test("LIVE_ASIDE_MAX pieces are put aside; with one more the oldest goes", () => {
  for (const more of [0, 1]) {
    const { follower, told } = follow();
    for (let number = 1; number <= LIVE_ASIDE_MAX + more; number++)
      follower.hear({ number, delta: piece({ offset: number }) });
    follower.joinBlindly();
    expect(told).toHaveLength(LIVE_ASIDE_MAX);
    expect(told[0]?.offset).toBe(1 + more);
  }
});

test("of LIVE_FOLLOWED_MAX messages it is known how far they were told; one more is not", () => {
  for (const more of [0, 1]) {
    const { follower, told } = follow();
    const messages = Array.from({ length: LIVE_FOLLOWED_MAX + more }, (_, part) => piece({ part }));
    follower.join({ number: 1, messages });
    const before = told.length;
    follower.beginJoin();
    follower.join({ number: 2, messages: messages.slice(0, 1) });
    expect(told.length - before).toBe(more);
  }
});

test("a listener that throws is told the next piece all the same", () => {
  let told = 0;
  const follower = createFollower({
    delta: () => {
      told += 1;
      throw new Error("broken");
    },
    moved: () => {
      throw new Error("broken");
    },
  });
  follower.joinBlindly();
  follower.moved();
  follower.hear({ number: 1, delta: piece({}) });
  follower.hear({ number: 2, delta: piece({ offset: 1 }) });
  expect(told).toBe(2);
});
