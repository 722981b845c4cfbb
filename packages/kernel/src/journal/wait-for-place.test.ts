import { expect, test } from "vitest";
import { settle } from "../turn/sample-run.test.data.ts";
import { listBeside, waitForPlace } from "./wait-for-place.ts";

const never = new Promise<void>(() => {});
const acting = { effect: "idempotent", terms: new Map([["bank", 1]]) } as const;

function openWait(beside: Promise<void>) {
  const [cancel, leave] = [new AbortController(), new AbortController()];
  let hasEnded = false;
  const begin = (): void => {
    const signals = { signal: cancel.signal, leave: leave.signal };
    void waitForPlace({ control: signals }, [beside]).then(() => {
      hasEnded = true;
    });
  };
  return { cancel, leave, begin, hasEnded: () => hasEnded };
}

test.each(["cancel", "leave"] as const)("a wait for a place ends by %s", async (which) => {
  const wait = openWait(never);
  wait.begin();
  await settle();
  expect(wait.hasEnded()).toBe(false);
  wait[which].abort();
  await settle();
  expect(wait.hasEnded()).toBe(true);
});

test("what was aborted before ends no wait, and what is settled does", async () => {
  const beside = Promise.withResolvers<void>();
  const wait = openWait(beside.promise);
  wait.leave.abort();
  wait.begin();
  await settle();
  expect(wait.hasEnded()).toBe(false);
  beside.resolve();
  await settle();
  expect(wait.hasEnded()).toBe(true);
});

test("an action is not beside itself", () => {
  const own = Promise.resolve();
  const inFlight = new Map([
    [own, acting],
    [never, acting],
  ]);
  expect([...listBeside({ inFlight, own }).keys()]).toEqual([never]);
  expect(listBeside({ inFlight }).size).toBe(2);
});
