import { expect, test } from "vitest";
import { emptyProjection } from "./apply-event.ts";
import { heardOf, hearSignal, takeHeard } from "./open-waits.ts";
import { type RunProjection, SIGNAL_NAMES_MAX } from "./run-projection.ts";
import type { OpenWait } from "./wait-state.ts";

const reference: OpenWait["request"] = {
  ...{ digest: `hmac-sha256:${"0".repeat(64)}`, size: 1, mediaType: "application/json" },
};

function waitFor(name: string): OpenWait {
  return {
    ...{ sequence: 1, hash: "h", key: "k", call: "c", parentCall: null, path: "/flow", name },
    ...{ askedAt: "", decideBy: "", request: reference },
  };
}

/** The state after a signal of each name, from sequence number 1 on. */
function hear(names: readonly string[]): RunProjection {
  return names.reduce(
    (run, name, index) => hearSignal(run, name, index + 1),
    emptyProjection("run"),
  );
}

test("it is kept where signals of a name stand, until a wait has taken the last of them", () => {
  const run = hear(["a", "b", "a"]);
  expect(heardOf(run, "a")).toEqual({ after: 0, last: 3 });
  expect(heardOf(run, "b")).toEqual({ after: 1, last: 2 });
  expect(heardOf(run, "c")).toBeUndefined();
  const once = takeHeard(run, { signal: 1 }, waitFor("a"));
  expect(heardOf(once, "a")).toEqual({ after: 1, last: 3 });
  const twice = takeHeard(once, { signal: 3 }, waitFor("a"));
  expect(twice.heard).toEqual({ b: { after: 1, last: 2 } });
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
  expect(heardOf(past, "late")).toEqual({ after: 64, last: 67 });
  const taken = takeHeard(past, { signal: 65 }, waitFor("late"));
  expect(heardOf(taken, "late")).toEqual({ after: 65, last: 67 });
  expect(heardOf(taken, "later")).toEqual({ after: 64, last: 67 });
  const all = takeHeard(taken, { signal: 67 }, waitFor("late"));
  expect(heardOf(all, "late")).toBeUndefined();
  expect(heardOf(hearSignal(all, "late", 70), "late")).toEqual({ after: 67, last: 70 });
});
