import { expect, test, vi } from "vitest";
import { OUTBOX_EVERY_MS, watchOutbox } from "./watch-outbox.ts";

function createObserved() {
  const looked = { count: 0, isClosed: false };
  const observed = {
    look: async () => {
      looked.count += 1;
    },
    close: () => {
      looked.isClosed = true;
    },
  };
  return { looked, observed };
}

test("the outbox of each tenant is looked at again and again, until it is closed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const watch = watchOutbox();
    const [acme, beta] = [createObserved(), createObserved()];
    watch.add("acme", acme.observed);
    watch.add("beta", beta.observed);
    await vi.advanceTimersByTimeAsync(OUTBOX_EVERY_MS * 2);
    expect([acme.looked.count, beta.looked.count]).toEqual([2, 2]);
    watch.close();
    await vi.advanceTimersByTimeAsync(OUTBOX_EVERY_MS * 2);
    expect(acme.looked).toEqual({ count: 2, isClosed: true });
  } finally {
    vi.useRealTimers();
  }
});

test("a new host of a tenant replaces the earlier one", async () => {
  const watch = watchOutbox();
  const [first, second] = [createObserved(), createObserved()];
  watch.add("acme", first.observed);
  watch.add("acme", second.observed);
  expect([first.looked.isClosed, second.looked.isClosed]).toEqual([true, false]);
  watch.close();
});
