import { manualClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import { INBOX_POLL_MS } from "../limits.ts";
import { settle } from "./sample-run.test.data.ts";
import { watchForCancel } from "./watch-for-cancel.ts";

const never = (): Promise<never> => new Promise(() => {});

test("it looks again and again while something is waited for, and not after", async () => {
  const clock = manualClock();
  let looks = 0;
  let end = (): void => {};
  const acting = new Promise<void>((resolve) => {
    end = resolve;
  });
  const takeCancel = async (): Promise<boolean> => {
    looks += 1;
    return false;
  };
  const watch = watchForCancel({ clock, takeCancel, cancel: new AbortController() });
  const watching = watch(acting);
  for (let round = 0; round < 3; round++) {
    clock.advance(INBOX_POLL_MS);
    await settle();
  }
  expect(looks).toBe(3);
  end();
  await watching;
  clock.advance(10 * INBOX_POLL_MS);
  await settle();
  expect(looks).toBe(3);
});

test("a cancel aborts, and is not looked for again", async () => {
  const clock = manualClock();
  let looks = 0;
  const cancel = new AbortController();
  const takeCancel = async (): Promise<boolean> => {
    looks += 1;
    return true;
  };
  watchForCancel({ clock, takeCancel, cancel })(never()).catch(() => {});
  clock.advance(INBOX_POLL_MS);
  await settle();
  expect(cancel.signal.aborted).toBe(true);
  clock.advance(10 * INBOX_POLL_MS);
  await settle();
  expect(looks).toBe(1);
});

test("a store that does not answer now is asked again", async () => {
  const clock = manualClock();
  const cancel = new AbortController();
  let looks = 0;
  const takeCancel = async (): Promise<boolean> => {
    looks += 1;
    if (looks === 1) throw new Error("unreachable");
    return true;
  };
  watchForCancel({ clock, takeCancel, cancel })(never()).catch(() => {});
  for (let round = 0; round < 2; round++) {
    clock.advance(INBOX_POLL_MS);
    await settle();
  }
  expect(cancel.signal.aborted).toBe(true);
});

test("a look that fails is told, and made again before anything follows", async () => {
  const clock = manualClock();
  const cancel = new AbortController();
  const failures: unknown[] = [];
  const failure = new Error("unreachable");
  let looks = 0;
  const takeCancel = async (): Promise<boolean> => {
    looks += 1;
    if (looks === 1) throw failure;
    return true;
  };
  let end = (): void => {};
  const acting = new Promise<void>((resolve) => {
    end = resolve;
  });
  const onFailed = (error: unknown) => failures.push(error);
  const watching = watchForCancel({ clock, takeCancel, cancel, onFailed })(acting);
  clock.advance(INBOX_POLL_MS);
  await settle();
  expect(failures).toEqual([failure]);
  end();
  await watching;
  expect(looks).toBe(2);
  expect(cancel.signal.aborted).toBe(true);
});

test("no look is left behind: what follows comes after the cancel that it found", async () => {
  const clock = manualClock();
  const order: string[] = [];
  let found = (): void => {};
  const takeCancel = (): Promise<boolean> =>
    new Promise((resolve) => {
      found = () => {
        order.push("cancel");
        resolve(true);
      };
    });
  const cancel = new AbortController();
  let end = (): void => {};
  const acting = new Promise<void>((resolve) => {
    end = resolve;
  });
  const watching = watchForCancel({ clock, takeCancel, cancel })(acting);
  clock.advance(INBOX_POLL_MS);
  end();
  await settle();
  watching.then(
    () => order.push("next"),
    () => {},
  );
  found();
  await watching;
  expect(cancel.signal.aborted).toBe(true);
  await settle();
  expect(order).toEqual(["cancel", "next"]);
});

test("however many wait, one look is made at a time, for as long as any waits", async () => {
  const clock = manualClock();
  const looks: ((isCancelled: boolean) => void)[] = [];
  const takeCancel = (): Promise<boolean> => new Promise((resolve) => looks.push(resolve));
  const cancel = new AbortController();
  const watch = watchForCancel({ clock, takeCancel, cancel });
  let end = (): void => {};
  const first = watch(
    new Promise<void>((resolve) => {
      end = resolve;
    }),
  );
  clock.advance(INBOX_POLL_MS);
  watch(never()).catch(() => {});
  clock.advance(10 * INBOX_POLL_MS);
  await settle();
  expect(looks).toHaveLength(1);
  looks[0]?.(false);
  end();
  await first;
  clock.advance(INBOX_POLL_MS);
  await settle();
  expect(looks).toHaveLength(2);
  looks[1]?.(true);
  await settle();
  expect(cancel.signal.aborted).toBe(true);
  clock.advance(10 * INBOX_POLL_MS);
  await settle();
  expect(looks).toHaveLength(2);
});
