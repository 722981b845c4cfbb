import type { Effect } from "@turnseal/protocol";
import { type Reconciliation, ToolError } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import {
  GRACE_MS,
  LOG_WAIT_MS_MAX,
  RECONCILE_MS_MAX,
  RETRIES_MAX,
  TOOL_TIMEOUT_MS_DEFAULT,
} from "../limits.ts";
import { crashAt, openRun, type SampleRun, settle } from "../turn/sample-run.test.data.ts";

interface Payments {
  readonly run: SampleRun;
  readonly keys: string[];
}

type Reconcile = (key: string) => Promise<Reconciliation> | Reconciliation;

/** A run that acted, and whose worker died before it could say so. */
async function openOrphan(effect: Effect, reconcile?: Reconcile): Promise<Payments> {
  const keys: string[] = [];
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": {
        effect,
        run: (_, { key }) => {
          keys.push(key);
          return { paid: true };
        },
        ...(reconcile === undefined ? {} : { reconcile }),
      },
    },
    beforeAppend: crashAt(2),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(keys).toHaveLength(1);
  return { run, keys };
}

const GRACE_OVER_MS = TOOL_TIMEOUT_MS_DEFAULT + LOG_WAIT_MS_MAX + GRACE_MS;

test.each(["read", "idempotent"] as const)(
  "an open claim is tried again at once, under the same key: %s",
  async (effect) => {
    const { run, keys } = await openOrphan(effect);
    expect(await run.turn()).toMatchObject({ outcome: "completed" });
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(await run.contents("action.resolved")).toMatchObject([{ resolution: "again" }]);
    const [first, second] = (await run.events()).filter((event) => event.type === "action.claimed");
    expect(second?.content).toMatchObject({ supersedes: first?.sequence });
    expect((await run.spending()).settled.toolCalls).toBe(1);
  },
);

test.each(["reconcile", "once"] as const)(
  "an open claim is left alone until its deadline and its grace are over: %s",
  async (effect) => {
    const { run, keys } = await openOrphan(effect, () => ({ kind: "never" }));
    const untilMs = run.clock.now() + GRACE_OVER_MS;
    expect(await run.turn()).toEqual({ kind: "waiting", untilMs, for: "time" });
    run.clock.advance(GRACE_OVER_MS - 1);
    expect(await run.turn()).toEqual({ kind: "waiting", untilMs, for: "time" });
    expect(keys).toHaveLength(1);
    expect(await run.contents("action.unknown")).toEqual([]);
    run.clock.advance(1);
    const result = await run.turn();
    expect(result).not.toEqual({ kind: "waiting", untilMs, for: "time" });
  },
);

test("a tool that says it happened is believed, and nothing is done again", async () => {
  const { run, keys } = await openOrphan("reconcile", () => ({
    kind: "happened",
    result: { paid: "before" },
  }));
  run.clock.advance(GRACE_OVER_MS);
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { paid: "before" } });
  expect(keys).toHaveLength(1);
  expect(await run.contents("action.resolved")).toMatchObject([{ resolution: "happened" }]);
  expect((await run.spending()).assumed).toEqual({ toolCalls: 1, effects: 1 });
});

test("what it says is used in the order in which the log has it", async () => {
  const result = { paid: "before", at: 1 };
  const { run } = await openOrphan("reconcile", () => ({ kind: "happened", result }));
  run.clock.advance(GRACE_OVER_MS);
  const closed = await run.turn();
  const output = closed.kind === "closed" ? closed.output : undefined;
  expect(JSON.stringify(output)).toBe('{"at":1,"paid":"before"}');
});

test("a tool that says it never happened is asked to act, under the same key", async () => {
  const asked: string[] = [];
  const { run, keys } = await openOrphan("reconcile", (key) => {
    asked.push(key);
    return { kind: "never" };
  });
  run.clock.advance(GRACE_OVER_MS);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(asked).toEqual([keys[0]]);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test("one that never does it is called RETRIES_MAX times, then a person is asked", async () => {
  let acts = 0;
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": {
        effect: "reconcile",
        run: () => {
          acts += 1;
          throw new Error("the line went dead");
        },
        reconcile: () => ({ kind: "never" }),
      },
    },
    budget: { toolCalls: 1 },
  });
  for (let tries = 0; tries <= RETRIES_MAX; tries++) {
    expect(await run.turn()).toMatchObject({ kind: "waiting", for: "time" });
    run.clock.advance(GRACE_OVER_MS);
  }
  const waiting = { kind: "waiting", untilMs: undefined, for: "person" };
  for (let look = 0; look < 3; look++) expect(await run.turn()).toEqual(waiting);
  expect(acts).toBe(1 + RETRIES_MAX);
  expect(await run.contents("action.unknown")).toMatchObject([{ status: "orphaned" }]);
  // A person may let it act once more. After that, a person is asked again.
  await run.turn({ word: { resolution: "retry" } });
  run.clock.advance(GRACE_OVER_MS);
  expect(await run.turn()).toEqual(waiting);
  expect(acts).toBe(2 + RETRIES_MAX);
});

const unsure: readonly [string, Reconcile | undefined][] = [
  ["is unsure", () => ({ kind: "unsure" })],
  [
    "throws",
    () => {
      throw new Error("no idea");
    },
  ],
  ["says what nobody can keep", () => ({ kind: "happened", result: (() => {}) as never })],
  ["says nothing of the kind", () => ({ kind: "perhaps" }) as never],
  ["cannot be asked", undefined],
];
test.each(unsure)("a person is asked when the tool %s", async (_, reconcile) => {
  const { run, keys } = await openOrphan("reconcile", reconcile);
  run.clock.advance(GRACE_OVER_MS);
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
  expect(await run.contents("action.unknown")).toMatchObject([{ status: "orphaned" }]);
  expect(keys).toHaveLength(1);
});

test("a tool that does not answer for RECONCILE_MS_MAX is unsure", async () => {
  const { run } = await openOrphan("reconcile", () => new Promise(() => {}));
  run.clock.advance(GRACE_OVER_MS);
  const turning = run.turn();
  await settle();
  run.clock.advance(RECONCILE_MS_MAX - 1);
  await settle();
  expect(await run.contents("action.unknown")).toEqual([]);
  run.clock.advance(1);
  expect(await turning).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
});

test("a cancel reaches a run that asks its tool, and nobody is asked then", async () => {
  const { run } = await openOrphan("reconcile", () => new Promise(() => {}));
  run.clock.advance(GRACE_OVER_MS);
  const turning = run.turn();
  await settle();
  run.cancel();
  run.clock.advance(200);
  expect(await turning).toMatchObject({ outcome: "cancelled" });
  expect(await run.contents("action.unknown")).toEqual([]);
});

test("a tool that acts once is never repeated: a person is asked, once", async () => {
  const { run, keys } = await openOrphan("once", () => ({ kind: "never" }));
  run.clock.advance(GRACE_OVER_MS);
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
  expect(await run.contents("action.unknown")).toHaveLength(1);
  expect(keys).toHaveLength(1);
});

test("a person who says it happened gives the result", async () => {
  const { run, keys } = await openOrphan("once");
  run.clock.advance(GRACE_OVER_MS);
  await run.turn();
  const word = { resolution: "happened", result: { paid: "seen" } } as const;
  expect(await run.turn({ word })).toMatchObject({ outcome: "completed", output: word.result });
  expect(keys).toHaveLength(1);
});

test("a person who does not know the result fails the call", async () => {
  const { run, keys } = await openOrphan("once");
  run.clock.advance(GRACE_OVER_MS);
  await run.turn();
  const result = await run.turn({ word: { resolution: "happened" } });
  expect(result).toMatchObject({ outcome: "failed", reason: "TOOL_FAILED" });
  expect(keys).toHaveLength(1);
});

test("a person who says to retry lets it act once more", async () => {
  const { run, keys } = await openOrphan("once");
  run.clock.advance(GRACE_OVER_MS);
  await run.turn();
  expect(await run.turn({ word: { resolution: "retry" } })).toMatchObject({ outcome: "completed" });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test("a person who gives it up ends the turn as unknown", async () => {
  const { run, keys } = await openOrphan("once");
  run.clock.advance(GRACE_OVER_MS);
  await run.turn();
  expect(await run.turn({ word: { resolution: "abandon" } })).toMatchObject({ outcome: "unknown" });
  expect(keys).toHaveLength(1);
});

test("an orphaned model request counts in full, and is asked anew", async () => {
  const run = openRun({ loops: [promptLoop("ask")], beforeAppend: crashAt(2) });
  await expect(run.turn()).rejects.toThrow("crash");
  const { open } = await run.spending();
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const { assumed } = await run.spending();
  expect(assumed).toEqual(open);
  expect(await run.contents("action.resolved")).toMatchObject([{ resolution: "orphaned" }]);
  const claims = await run.contents("action.claimed");
  expect(claims.map(({ supersedes }) => supersedes)).toEqual([undefined, undefined]);
});

test("an orphaned model request leaves no room under a cap of one", async () => {
  const run = openRun({
    loops: [promptLoop("ask")],
    budget: { modelCalls: 1 },
    beforeAppend: crashAt(2),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
});

test("a second attempt that fails says nothing about the first", async () => {
  const keys: string[] = [];
  const run = openRun({
    loops: [toolLoop("put")],
    tools: {
      "local.put": {
        effect: "idempotent",
        run: (_, { key }) => {
          keys.push(key);
          if (keys.length === 1) return {};
          throw new ToolError("TOOL_UNAVAILABLE", "come back later");
        },
      },
    },
    beforeAppend: crashAt(2),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
  // Another key would let a tool that honours keys act twice.
  expect(new Set(keys).size).toBe(1);
});

test("a cancel leaves an orphaned claim open, and asks nobody", async () => {
  const { run, keys } = await openOrphan("once");
  expect(await run.turn({ isCancelled: true })).toMatchObject({
    outcome: "cancelled",
    reason: "CANCELLED",
  });
  expect(keys).toHaveLength(1);
});
