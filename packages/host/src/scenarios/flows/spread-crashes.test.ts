/** Fan-outs whose items are runs, in processes that die at every append of every run in turn. */
import type { ForEachNode, JsonValue } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { dieAt } from "../__fixtures__/die-at.ts";
import {
  callOf,
  openSpreadDesk,
  type SpreadDeskOptions,
  spread,
} from "../__fixtures__/spread-desk.ts";

interface Scene {
  readonly flow: ForEachNode;
  readonly options?: SpreadDeskOptions;
  readonly stopped: string;
  readonly output: JsonValue;
  /** The certain payments, and the possible ones. */
  readonly paid: readonly JsonValue[];
  readonly mayBePaid?: readonly JsonValue[];
}

const abc = ["a", "b", "c"];
/**
 * The failing tool has no effect: if an effect failed on its second try, the end of the first would
 * be unknown, and a person would be asked.
 */
const failing = (bad: JsonValue): SpreadDeskOptions => ({
  effect: "read",
  act: (at) => {
    if (at === bad) throw notDone("no such account");
    return at;
  },
});

const scenes: Readonly<Record<string, Scene>> = {
  all: { flow: spread({ const: abc }), stopped: "goal-reached", output: abc, paid: abc },
  "one after the other": {
    flow: spread({ const: abc }, { concurrency: 1 }),
    ...{ stopped: "goal-reached", output: abc, paid: abc },
  },
  "one that fails and is borne": {
    flow: spread({ const: abc }, { tolerate: { count: 1 } }),
    options: failing("b"),
    stopped: "goal-reached",
    output: [
      { status: "ok", output: "a" },
      {
        ...{ status: "error", label: "b" },
        error: {
          ...{ code: "CHILD_FAILED", message: expect.any(String) },
          reason: "it stopped: failed",
        },
      },
      { status: "ok", output: "c" },
    ],
    paid: ["a", "c"],
  },
  "one that fails": {
    flow: spread({ const: abc }, { concurrency: 1 }),
    options: failing("b"),
    ...{ stopped: "failed", output: "stopped", paid: ["a"] },
  },
  "the first of all": {
    flow: spread({ const: ["a", "a", "a"] }, { join: "any" }),
    ...{ stopped: "goal-reached", output: "a", paid: ["a"], mayBePaid: ["a", "a"] },
  },
  "fan-outs in fan-outs": {
    flow: spread({ const: [1, 2] }, { body: callOf("shelf") }),
    options: { inner: { shelf: spread({ cel: "[input.at * 10, input.at * 10 + 1]" }) } },
    stopped: "goal-reached",
    output: [
      [10, 11],
      [20, 21],
    ],
    paid: [10, 11, 20, 21],
  },
};

test.each(Object.entries(scenes))("a process that dies anywhere: %s", async (_name, scene) => {
  const { flow, options = {}, stopped, output, paid, mayBePaid = [] } = scene;
  let places = 0;
  for (const when of ["before", "after"] as const)
    for (let place = 1; ; place++) {
      const what = `${when} append ${place}`;
      const desk = await openSpreadDesk(flow, options);
      const { see, hasDied } = dieAt(place, when);
      await desk.drive(see).catch(() => {});
      if (!hasDied()) break;
      places += 1;
      expect(await desk.drive(), what).toBe(stopped);
      expect(await desk.output(), what).toEqual(output);
      // Each is paid once, since the key of a payment is that of its run.
      expect(desk.paid.length, what).toBeGreaterThanOrEqual(paid.length);
      expect(desk.paid.length, what).toBeLessThanOrEqual(paid.length + mayBePaid.length);
      for (const at of paid) expect(desk.paid, what).toContain(at);
      const { codes, replays } = await desk.judge();
      expect(codes, what).toEqual([]);
      expect(new Set(replays), what).toEqual(new Set(["identical"]));
    }
  expect(places).toBeGreaterThan(20);
});
