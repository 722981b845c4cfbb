import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SignatureJudgement } from "./judge-signature.ts";
import { AWAY_MS_MAX, AWAY_MS_MIN, REFUSED_MAX, watchRefusals } from "./watch-refusals.ts";
import { createWorkerLog } from "./worker-log.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const clock: SignatureJudgement = { kind: "clock", apartMs: 90_000 };

function open() {
  const lines: string[] = [];
  const done: string[] = [];
  const port = { isTaken: false };
  const refusals = watchRefusals({
    judge: (token) => token as SignatureJudgement,
    leave: () => void done.push("leave"),
    listen: async () => {
      if (port.isTaken) throw new Error("EADDRINUSE");
      done.push("listen");
    },
    log: createWorkerLog((line) => lines.push(line)),
  });
  const refuse = (times: number, token: SignatureJudgement = clock): void => {
    for (let count = 0; count < times; count++) refusals.onRefused(token);
  };
  const said = () => lines.map((line) => JSON.parse(line));
  return { refusals, refuse, done, port, said };
}

test("it leaves after REFUSED_MAX in a row, once, and says why", () => {
  const { refusals, refuse, done, said } = open();
  refuse(REFUSED_MAX - 1);
  expect(done).toEqual([]);
  refuse(2);
  expect(done).toEqual(["leave"]);
  expect(refusals.isAway()).toBe(true);
  const why = "the clock of this worker is 90 s ahead of that of the engine";
  expect(refusals.whyRefused()).toBe(why);
  expect(said()).toEqual([
    expect.objectContaining({ what: "worker.left", code: "ENGINE_CLOCK", apartMs: 90_000 }),
  ]);
});

test("a key that is unknown is told from a clock", () => {
  const { refuse, said } = open();
  refuse(REFUSED_MAX, { kind: "key", key: "publickeyv1_other" });
  expect(said()[0]).toMatchObject({ code: "ENGINE_KEY", key: "publickeyv1_other" });
});

test("one that is taken begins the count anew, and what anybody may send does not count", () => {
  const { refusals, refuse, done } = open();
  refuse(REFUSED_MAX - 1);
  refuse(10 * REFUSED_MAX, { kind: "unsigned" });
  refusals.onRequest({ kind: "valid" });
  expect(refusals.whyRefused()).toBeUndefined();
  refuse(REFUSED_MAX - 1);
  refusals.onRequest({ kind: "unsigned" });
  expect(done).toEqual([]);
  refuse(1);
  expect(done).toEqual(["leave"]);
});

test("it comes back, and one more refusal sends it away, up to AWAY_MS_MAX", async () => {
  const { refusals, refuse, done } = open();
  refuse(REFUSED_MAX);
  for (const awayMs of [AWAY_MS_MIN, 2 * AWAY_MS_MIN, AWAY_MS_MAX, AWAY_MS_MAX]) {
    done.length = 0;
    await vi.advanceTimersByTimeAsync(awayMs - 1);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toEqual(["listen"]);
    expect(refusals.isAway()).toBe(false);
    // Nothing was taken yet.
    expect(refusals.hasLeftOnce()).toBe(true);
    refuse(1);
    expect(done).toEqual(["listen", "leave"]);
  }
});

test("a port that is taken meanwhile is tried again", async () => {
  const { refusals, refuse, done, port } = open();
  refuse(REFUSED_MAX);
  port.isTaken = true;
  await vi.advanceTimersByTimeAsync(AWAY_MS_MIN);
  expect(refusals.isAway()).toBe(true);
  port.isTaken = false;
  await vi.advanceTimersByTimeAsync(2 * AWAY_MS_MIN);
  expect(done).toEqual(["leave", "listen"]);
});
