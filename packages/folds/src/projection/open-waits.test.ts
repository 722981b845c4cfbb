import { expect, test } from "vitest";
import { emptyProjection } from "./apply-event.ts";
import { hasRoom, heardOf, hearSignal, takeHeard } from "./open-waits.ts";
import { type RunProjection, SIGNAL_NAMES_MAX } from "./run-projection.ts";
import { type OpenWait, SIGNALS_KEPT_BYTES_MAX, SIGNALS_KEPT_MAX } from "./wait-state.ts";

const reference: OpenWait["request"] = {
  ...{ digest: `hmac-sha256:${"0".repeat(64)}`, size: 1, mediaType: "application/json" },
};

function waitFor(name: string): OpenWait {
  return {
    ...{ sequence: 1, hash: "h", key: "k", call: "c", parentCall: null, path: "/flow", name },
    ...{ askedAt: "", decideBy: "", request: reference },
  };
}

const small = (name: string) => ({ name, payload: { size: 1 } });

/** The state after a signal of each name, from sequence number 1 on. */
function hear(names: readonly string[]): RunProjection {
  return names.reduce(
    (run, name, index) => hearSignal(run, small(name), index + 1),
    emptyProjection("run"),
  );
}

test("it is kept where signals of a name stand, until a wait has taken the last of them", () => {
  const run = hear(["a", "b", "a"]);
  expect(heardOf(run, "a")).toMatchObject({ after: 0, last: 3 });
  expect(heardOf(run, "b")).toMatchObject({ after: 1, last: 2 });
  expect(heardOf(run, "c")).toBeUndefined();
  const once = takeHeard(run, { signal: 1 }, waitFor("a"));
  expect(heardOf(once, "a")).toMatchObject({ after: 1, last: 3 });
  const twice = takeHeard(once, { signal: 3 }, waitFor("a"));
  expect(twice.heard).toEqual({ b: { after: 1, last: 2, count: 1, bytes: 1 } });
});

test("a signal that was taken as it came changes nothing", () => {
  const run = hear(["a"]);
  expect(takeHeard(run, { signal: 9 }, waitFor("a"))).toBe(run);
  expect(takeHeard(run, {}, waitFor("a"))).toBe(run);
  expect(takeHeard(run, { signal: 1 }, undefined)).toBe(run);
});

test(`names past ${SIGNAL_NAMES_MAX} are kept together, and none is lost`, () => {
  const names = Array.from({ length: SIGNAL_NAMES_MAX }, (_, index) => `n${index}`);
  const full = hear(names);
  expect(Object.keys(full.heard ?? {})).toHaveLength(SIGNAL_NAMES_MAX);
  const past = hear([...names, "late", "later", "late"]);
  expect(Object.keys(past.heard ?? {})).toHaveLength(SIGNAL_NAMES_MAX + 1);
  expect(heardOf(past, "late")).toMatchObject({ after: 64, last: 67 });
  const taken = takeHeard(past, { signal: 65 }, waitFor("late"));
  expect(heardOf(taken, "late")).toMatchObject({ after: 65, last: 67 });
  expect(heardOf(taken, "later")).toMatchObject({ after: 64, last: 67 });
  const all = takeHeard(taken, { signal: 67 }, waitFor("late"));
  expect(heardOf(all, "late")).toBeUndefined();
  expect(heardOf(hearSignal(all, small("late"), 70), "late")).toMatchObject({
    after: 67,
    last: 70,
  });
});

test(`${SIGNALS_KEPT_MAX} signals of a name are kept for a later wait, and no more`, () => {
  const full = hear(Array.from({ length: SIGNALS_KEPT_MAX }, () => "a"));
  expect(heardOf(full, "a")).toMatchObject({ count: SIGNALS_KEPT_MAX, last: SIGNALS_KEPT_MAX });
  expect(hasRoom(full, "a")).toBe(false);
  expect(hearSignal(full, small("a"), SIGNALS_KEPT_MAX + 1)).toBe(full);
  expect(hasRoom(full, "b")).toBe(true);
  const taken = takeHeard(full, { signal: 1, answer: reference }, waitFor("a"));
  expect(hasRoom(taken, "a")).toBe(true);
});

test(`no signal is kept from payloads of ${SIGNALS_KEPT_BYTES_MAX} bytes on`, () => {
  const heard = { name: "a", payload: { size: SIGNALS_KEPT_BYTES_MAX - 1 } };
  const near = hearSignal(emptyProjection("run"), heard, 1);
  expect(hasRoom(near, "a")).toBe(true);
  expect(hasRoom(hearSignal(near, small("a"), 2), "a")).toBe(false);
});
