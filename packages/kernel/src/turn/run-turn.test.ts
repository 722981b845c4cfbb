import { readFileSync } from "node:fs";
import { SAMPLE_CONTENTS, sampleEvent, scriptedModel } from "@turnseal/ports";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { verifyReceipt } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { compositeLoop, promptLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { INBOX_POLL_MS, LOG_WAIT_MS_MAX, TOOL_TIMEOUT_MS_DEFAULT } from "../limits.ts";
import { SEMANTICS } from "./run-turn.ts";
import {
  crashAt,
  openRun,
  RUN,
  registerAll,
  type SampleRun,
  sampleKey,
  settle,
} from "./sample-run.test.data.ts";

const flow = compositeLoop("flow", [step("look"), step("pay")]);

/** A run of two tools whose worker died while the second one was claimed. */
async function openHalfway(): Promise<{ run: SampleRun; acts: string[] }> {
  const acts: string[] = [];
  const run = openRun({
    loops: [flow, toolLoop("look"), toolLoop("pay")],
    tools: {
      "local.look": {
        effect: "read",
        run: (_, { log }) => {
          acts.push("look");
          run.clock.advance(40);
          log("info", "looking");
          run.clock.advance(2);
          return {};
        },
      },
      "local.pay": {
        effect: "idempotent",
        run: () => {
          acts.push("pay");
          return {};
        },
      },
    },
    afterAppend: crashAt(2),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(acts).toEqual(["look"]);
  return { run, acts };
}

test("a turn is started, called, closed and sealed", async () => {
  const run = openRun({ loops: [promptLoop("ask")], model: scriptedModel(["hello"]) });
  const result = await run.turn();
  expect(result).toMatchObject({ kind: "closed", outcome: "completed", output: { text: "hello" } });
  expect(await run.types()).toEqual([
    "turn.started",
    "call.started",
    "call.input.validated",
    "action.claimed",
    "action.settled",
    "call.output.validated",
    "call.completed",
    "turn.closed",
  ]);
  const receipt = await run.stores.receipts.read(RUN, 1);
  expect(receipt?.id).toBe(result.kind === "closed" ? result.receipt : "");
  const verdict = await verifyReceipt(canonicalize(receipt?.envelope), { keys: [sampleKey] });
  expect(verdict).toMatchObject({ kind: "valid", id: receipt?.id });
});

test("no result is reported when the append that seals it fails", async () => {
  const run = openRun({ loops: [promptLoop("ask")], beforeAppend: crashAt(2) });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.stores.receipts.read(RUN, 1)).toBeUndefined();
  expect(await run.types()).not.toContain("turn.closed");
});

test("a resume makes the same events again, and goes on from there", async () => {
  const { run, acts } = await openHalfway();
  run.clock.advance(1_000);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(acts).toEqual(["look", "pay"]);
  const types = await run.types();
  expect(types.filter((type) => type === "call.completed")).toHaveLength(3);
  expect(types.filter((type) => type === "log")).toHaveLength(1);
});

function changeCall(events: readonly LoopEvent[], call: string | undefined): LoopEvent[] {
  return events.map((event) =>
    event.call !== undefined && event.call === call ? { ...event, call: "renamed" } : event,
  );
}

const changes: readonly [string, (events: readonly LoopEvent[]) => readonly LoopEvent[]][] = [
  [
    "the path of a step has another name",
    (events) => changeCall(events, events.findLast(({ call }) => call !== undefined)?.call),
  ],
  ["the path of the root has another name", (events) => changeCall(events, events[1]?.call)],
  [
    "what a tool is asked for is rendered otherwise",
    (events) =>
      events.map((event) =>
        event.type === "action.claimed"
          ? { ...event, content: { ...event.content, digest: "hmac-sha256:00" as const } }
          : event,
      ),
  ],
  [
    "keys are derived otherwise",
    (events) =>
      events.map((event) =>
        event.type === "action.claimed"
          ? { ...event, content: { ...event.content, key: "other" } }
          : event,
      ),
  ],
  [
    "steps come in another order",
    (events) =>
      events.map((event) =>
        event.type === "child.started"
          ? { ...event, content: { ...event.content, loop: "other" } }
          : event,
      ),
  ],
  [
    "an event is made that was not",
    (events) => events.filter(({ type }) => type !== "child.completed"),
  ],
  [
    "something recorded is not made at all",
    (events) => [
      ...events,
      sampleEvent("call.started", SAMPLE_CONTENTS.callStarted, { call: "forgotten" }),
    ],
  ],
];
test.each(changes)("a turn ends as drifted and nothing acts when %s", async (_, see) => {
  const { run, acts } = await openHalfway();
  const result = await run.turn({ see });
  expect(result).toMatchObject({ kind: "closed", reason: "drifted", outcome: "unknown" });
  expect(acts).toEqual(["look"]);
  expect((await run.contents("turn.closed")).map(({ reason }) => reason)).toEqual(["drifted"]);
  expect(await run.stores.receipts.read(RUN, 1)).toBeDefined();
});

test("a turn whose loop is gone or another is left alone, and ends with its own", async () => {
  const { run, acts } = await openHalfway();
  const changed = registerAll([flow, toolLoop("look", { description: "new" }), toolLoop("pay")]);
  const before = await run.types();
  const isLook = { what: "look 1.0.0" };
  expect(await run.turn({ registry: changed })).toEqual({
    kind: "blocked",
    block: { cause: "loop-changed", ...isLook },
  });
  expect(acts).toEqual(["look"]);
  expect(await run.types()).toEqual([...before, "turn.resumed"]);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });

  const { run: other } = await openHalfway();
  const gone = registerAll([flow, toolLoop("look")]);
  expect(await other.turn({ registry: gone })).toEqual({
    kind: "blocked",
    block: { cause: "loop-missing", what: "pay 1.0.0" },
  });
  expect(await other.turn({ tools: {} })).toMatchObject({ block: { cause: "tool-missing" } });
});

test("a turn of other semantics is left alone: nothing is written, nothing acts", async () => {
  const { run, acts } = await openHalfway();
  const before = await run.types();
  const see = (events: readonly LoopEvent[]): LoopEvent[] =>
    events.map((event) =>
      event.type === "turn.started"
        ? { ...event, content: { ...event.content, semantics: SEMANTICS + 1 } }
        : event,
    );
  const block = { cause: "unspoken", what: `semantics ${SEMANTICS + 1}` };
  expect(await run.turn({ see })).toEqual({ kind: "blocked", block });
  expect(await run.types()).toEqual([...before, "turn.resumed"]);
  expect(acts).toEqual(["look"]);
});

test("the time in which nobody works does not count against deadlines", async () => {
  const { run } = await openHalfway();
  run.clock.advance(30 * 24 * 60 * 60 * 1_000);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const claim = (await run.events()).findLast((event) => event.type === "action.claimed");
  const leftMs = Date.parse(claim?.content.deadlineAt ?? "") - Date.parse(claim?.at ?? "");
  expect(leftMs).toBe(TOOL_TIMEOUT_MS_DEFAULT + LOG_WAIT_MS_MAX);
});

test("the time that earlier rounds took does count", async () => {
  const model = scriptedModel([{ toolCalls: [{ tool: "local__look", input: {} }] }, "done"]);
  const run = openRun({
    loops: [
      promptLoop("ask", {
        policy: { timeoutMs: 1_000 },
        prompt: { template: "Go", variables: [], tools: [{ loopId: "look" }] },
      }),
      toolLoop("look"),
    ],
    model: {
      ...model,
      generate: (request) => {
        run.clock.advance(300);
        return model.generate(request);
      },
    },
    tools: { "local.look": { effect: "read", run: () => ({}) } },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const claims = (await run.events()).filter((event) => event.type === "action.claimed");
  const left = claims.map(({ at, content }) => Date.parse(content.deadlineAt) - Date.parse(at));
  expect(left).toEqual([1_000, 700, 700].map((ms) => ms + LOG_WAIT_MS_MAX));
});

test("a cancel reaches a running tool within one look at the inbox", async () => {
  let isAborted = false;
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": {
        effect: "idempotent",
        run: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener("abort", () => {
              isAborted = true;
            });
          }),
      },
    },
  });
  const turning = run.turn();
  await settle();
  run.cancel();
  run.clock.advance(INBOX_POLL_MS - 1);
  await settle();
  expect(isAborted).toBe(false);
  run.clock.advance(1);
  expect(await turning).toMatchObject({ outcome: "cancelled", reason: "CANCELLED" });
  expect(isAborted).toBe(true);
  // It may have happened: the receipt says so.
  expect(await run.contents("action.unknown")).toMatchObject([{ status: "cancelled" }]);
  expect(await run.contents("action.settled")).toEqual([]);
});

test("a cancel before the first act keeps everything from acting", async () => {
  const { run, acts } = await openHalfway();
  expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
  expect(acts).toEqual(["look"]);
});

test("a cancel that comes while an act ends well starts nothing more", async () => {
  const acts: string[] = [];
  const run = openRun({
    loops: [flow, toolLoop("look"), toolLoop("pay")],
    tools: {
      "local.look": {
        effect: "read",
        run: async () => {
          acts.push("look");
          await settle();
          run.cancel();
          // The look at the inbox begins while the act ends.
          run.clock.advance(INBOX_POLL_MS);
          return {};
        },
      },
      "local.pay": () => {
        acts.push("pay");
        return {};
      },
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "cancelled" });
  expect(acts).toEqual(["look"]);
});

test("a turn that does not get on is closed as stalled, with its open claims", async () => {
  const { run, acts } = await openHalfway();
  expect(await run.turn({ isStalled: true })).toMatchObject({
    outcome: "unknown",
    reason: "stalled",
  });
  expect(acts).toEqual(["look"]);
});

test("that a turn waits is said once, however often it is looked at", async () => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: { "local.pay": () => ({}) },
    beforeAppend: crashAt(2),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  await run.turn();
  await run.turn();
  expect(await run.contents("turn.waiting")).toHaveLength(1);
  run.clock.advance(60_000);
  await run.turn();
  expect(await run.contents("turn.waiting")).toMatchObject([{ for: "time" }, { for: "person" }]);
});

test("an input that the loop refuses is a refusal, and sealed", async () => {
  const run = openRun({
    loops: [toolLoop("pay", { inputSchema: { type: "string" } })],
    tools: { "local.pay": () => ({}) },
  });
  expect(await run.turn()).toMatchObject({
    outcome: "refused",
    reason: "INPUT_VALIDATION_FAILED",
  });
  expect(await run.stores.receipts.read(RUN, 1)).toBeDefined();
});

test("a turn after a failed one has its own keys and its own receipt", async () => {
  const keys: string[] = [];
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": (_, { key }) => {
        keys.push(key);
        if (keys.length === 1) throw notDone("no");
        return {};
      },
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "failed" });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(keys[0]).not.toBe(keys[1]);
  const receipts = await run.stores.receipts.list(RUN, 1);
  expect(receipts.map(({ turn }) => turn)).toEqual([1, 2]);
});

test("spec/run.md names the number of the semantics", () => {
  const text = readFileSync(new URL("../../../../spec/run.md", import.meta.url), "utf8");
  expect(/`turn\.started` records `semantics`, here (\d+)\./.exec(text)?.[1]).toBe(
    String(SEMANTICS),
  );
});
