import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";

function watch() {
  const said: string[] = [];
  let nowMs = 1_000;
  const say = createProgress({ write: (text) => said.push(text), nowMs: () => nowMs });
  const sayAt = (atMs: number, words: string): void => {
    nowMs = atMs;
    say(words);
  };
  return { said, sayAt };
}

test("work that is soon over says nothing", () => {
  const { said, sayAt } = watch();
  for (const atMs of [1_000, 2_000, 5_999]) sayAt(atMs, "some");
  expect(said).toEqual([]);
});

test("long work says how far it is, every five seconds at most", () => {
  const { said, sayAt } = watch();
  for (let atMs = 1_000; atMs <= 16_000; atMs += 500) sayAt(atMs, `${atMs}`);
  expect(said).toEqual(["6000\n", "11000\n", "16000\n"]);
});

test("after a long silence one line is enough", () => {
  const { said, sayAt } = watch();
  sayAt(60_000, "late");
  sayAt(60_001, "again");
  expect(said).toEqual(["late\n"]);
});
