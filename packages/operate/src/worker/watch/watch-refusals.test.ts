import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SignatureJudgement } from "../judge-signature.ts";
import { createWorkerLog } from "../worker-log.ts";
import {
  AWAY_MS_MAX,
  AWAY_MS_MIN,
  ENGINES_MAX,
  REFUSED_MAX,
  watchRefusals,
} from "./watch-refusals.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const ENGINE = "10.0.0.1";
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
  const refuse = (times: number, token: SignatureJudgement = clock, address = ENGINE): void => {
    for (let count = 0; count < times; count++) refusals.onRefused({ token, address });
  };
  const take = (token: SignatureJudgement, address = ENGINE): void =>
    refusals.onRequest({ token, address });
  const said = () => lines.map((line) => JSON.parse(line));
  return { refusals, refuse, take, done, port, said };
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
  const { refusals, refuse, take, done } = open();
  refuse(REFUSED_MAX - 1);
  refuse(10 * REFUSED_MAX, { kind: "unsigned" });
  take({ kind: "valid" });
  expect(refusals.whyRefused()).toBeUndefined();
  refuse(REFUSED_MAX - 1);
  take({ kind: "unsigned" });
  expect(done).toEqual([]);
  refuse(1);
  expect(done).toEqual(["leave"]);
});

test("once an engine has asked, refusals from elsewhere count for nothing", () => {
  const { refusals, refuse, take, done } = open();
  take({ kind: "valid" });
  for (const token of [clock, { kind: "key", key: "publickeyv1_other" } as const])
    refuse(10 * REFUSED_MAX, token, "10.0.0.2");
  expect(refusals.whyRefused()).toBeUndefined();
  expect(done).toEqual([]);
  refuse(REFUSED_MAX);
  expect(done).toEqual(["leave"]);
});

test("of more than ENGINES_MAX engines the oldest is forgotten", () => {
  const { refuse, take, done } = open();
  for (let at = 0; at <= ENGINES_MAX; at++) take({ kind: "valid" }, `engine-${at}`);
  refuse(REFUSED_MAX, clock, "engine-0");
  expect(done).toEqual([]);
  refuse(REFUSED_MAX, clock, "engine-1");
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
    // No request was accepted yet.
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
