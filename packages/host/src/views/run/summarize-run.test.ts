import { memoryStores, systemClock } from "@turnseal/ports";
import { hashEvent, type JsonObject, type LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { SPOKEN_MAX, summarizeRun } from "./summarize-run.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const kernel = { kind: "kernel", id: "kernel" } as const;
const ada = { kind: "person", id: "ada" } as const;

interface Draft {
  readonly type: string;
  readonly content: JsonObject;
  readonly actor?: LoopEvent["actor"];
}

async function writeLog(drafts: readonly Draft[]) {
  const { log } = memoryStores(systemClock);
  const { epoch, head: after } = await log.takeEpoch(run);
  let previous = "";
  const events = drafts.map(({ actor = kernel, ...draft }, index) => {
    const at = "2026-01-31T12:00:00.000Z";
    const unsigned = { id: run, run, sequence: index + 1, epoch, at, actor, ...draft, previous };
    const event = { ...unsigned, hash: hashEvent(unsigned) };
    previous = event.hash;
    return event;
  });
  await log.append({ run, epoch, after, events, blobs: [], consumed: [] });
  return log;
}

test("what ran is counted, and what people said is told with its place", async () => {
  const log = await writeLog([
    { type: "call.started", content: { loop: "refund", version: "1.0.0" } },
    { type: "action.claimed", content: { action: "model", backend: "clerk", model: "c-1" } },
    { type: "action.claimed", content: { action: "model", backend: "clerk", model: "c-1" } },
    { type: "action.claimed", content: { action: "tool", tool: "local.pay" } },
    { type: "action.resolved", actor: ada, content: { claim: 4, resolution: "happened" } },
    { type: "signal.received", actor: ada, content: { kind: "signal", name: "hurry" } },
    { type: "signal.received", actor: ada, content: { kind: "cancel" } },
    { type: "action.resolved", content: { claim: 4, resolution: "again" } },
    { type: "approval.requested", content: { action: "tool", tool: "local.pay" } },
    { type: "approval.decided", actor: ada, content: { approval: 9, choice: "reject" } },
    { type: "question.asked", content: { loop: "which-one" } },
    { type: "question.answered", actor: ada, content: { question: 11 } },
    {
      type: "signal.received",
      actor: ada,
      content: { kind: "refused", of: "decide", why: "role-missing" },
    },
  ]);
  const summary = await summarizeRun(log, run);
  expect(summary).toMatchObject({
    loops: [{ name: "refund 1.0.0", count: 1 }],
    models: [{ name: "clerk/c-1", count: 2 }],
    tools: [{ name: "local.pay", count: 1 }],
  });
  expect(summary.spoken.map(({ by, sequence, what }) => [by, sequence, what])).toEqual([
    ["ada", 5, "resolved local.pay: happened"],
    ["ada", 6, "sent the signal hurry"],
    ["ada", 7, "cancel"],
    ["ada", 10, "rejected local.pay"],
    ["ada", 12, "answered which-one"],
    ["ada", 13, "sent decide, which was not accepted: role-missing"],
  ]);
});

test("a handoff is counted by the loop that it goes to, and so is a yes to it", async () => {
  const handoff = { action: "handoff", target: "triage", targetVersion: "1.0.0" };
  const log = await writeLog([
    { type: "approval.requested", content: handoff },
    { type: "approval.decided", actor: ada, content: { approval: 1, choice: "approve" } },
    { type: "action.claimed", content: handoff },
  ]);
  const summary = await summarizeRun(log, run);
  expect(summary).toMatchObject({ tools: [], handoffs: [{ name: "triage", count: 1 }] });
  expect(summary.spoken.map(({ what }) => what)).toEqual(["approved triage"]);
});

test("of what people said the latest SPOKEN_MAX are kept", async () => {
  const words = (count: number): Draft[] =>
    Array.from({ length: count }, (_, index) => {
      const content = { kind: "signal", name: String(index) };
      return { type: "signal.received", actor: ada, content };
    });
  const all = await summarizeRun(await writeLog(words(SPOKEN_MAX)), run);
  expect(all.spoken).toHaveLength(SPOKEN_MAX);
  const latest = await summarizeRun(await writeLog(words(SPOKEN_MAX + 1)), run);
  expect(latest.spoken).toHaveLength(SPOKEN_MAX);
  expect(latest.spoken[0]?.sequence).toBe(2);
});
