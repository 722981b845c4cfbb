import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ANSWER_AGE_MS_MAX, answerInTime, LOOK_MS_MAX } from "./answer-in-time.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A look of a chosen length. */
function open() {
  const state: { why: string | undefined; ms: number; looks: number } = {
    ...{ why: undefined, ms: 0, looks: 0 },
  };
  const ask = answerInTime(async () => {
    state.looks += 1;
    const { why, ms } = state;
    await new Promise((resume) => setTimeout(resume, ms));
    return why;
  });
  const answer = async (ms: number): Promise<string | undefined> => {
    const asked = ask();
    await vi.advanceTimersByTimeAsync(ms);
    return Promise.race([asked, Promise.resolve("nothing yet")]);
  };
  return { state, answer };
}

test("what is found in time is the answer", async () => {
  const { state, answer } = open();
  expect(await answer(0)).toBeUndefined();
  state.why = "the database does not answer";
  expect(await answer(0)).toBe("the database does not answer");
});

test("a look that takes longer than LOOK_MS_MAX is answered with what was found last", async () => {
  const { state, answer } = open();
  state.why = "old";
  await answer(0);
  Object.assign(state, { why: "new", ms: 4 * LOOK_MS_MAX });
  expect(await answer(LOOK_MS_MAX - 1)).toBe("nothing yet");
  expect(await answer(LOOK_MS_MAX)).toBe("old");
  // One at a time, for any number of callers.
  expect(state.looks).toBe(2);
  await vi.advanceTimersByTimeAsync(4 * LOOK_MS_MAX);
  Object.assign(state, { why: "newest" });
  expect(await answer(LOOK_MS_MAX)).toBe("new");
});

test("an answer that is older than ANSWER_AGE_MS_MAX is given no more", async () => {
  const { state, answer } = open();
  await answer(0);
  await vi.advanceTimersByTimeAsync(ANSWER_AGE_MS_MAX + 1);
  Object.assign(state, { why: "gone", ms: 3 * LOOK_MS_MAX });
  expect(await answer(LOOK_MS_MAX)).toBe("nothing yet");
  expect(await answer(3 * LOOK_MS_MAX)).toBe("gone");
});
