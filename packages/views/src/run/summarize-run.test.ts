import { chainEvents, SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { SPOKEN_MAX, summarizeRun } from "./summarize-run.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const byAda = { actor: { kind: "person", id: "ada" } } as const;

const chain = (drafts: readonly LoopEvent[]) => chainEvents(drafts, { run, epoch: 1 });

const { callStarted, claimedModel, claimedTool, claimedHandoff, resolved } = SAMPLE_CONTENTS;
const { signal, cancel, refused, requestedTool, requestedHandoff } = SAMPLE_CONTENTS;
const { decided, asked, answered } = SAMPLE_CONTENTS;

test("what ran is counted, and what people said is told with its place", async () => {
  const request = { ...claimedModel, backend: "clerk", model: "c-1" };
  const events = chain([
    sampleEvent("call.started", { ...callStarted, loop: "refund" }),
    sampleEvent("action.claimed", request),
    sampleEvent("action.claimed", request),
    sampleEvent("action.claimed", claimedTool),
    sampleEvent("action.resolved", { ...resolved, claim: 4, resolution: "happened" }, byAda),
    sampleEvent("signal.received", { ...signal, name: "hurry" }, byAda),
    sampleEvent("signal.received", cancel, byAda),
    sampleEvent("action.resolved", { ...resolved, claim: 4, resolution: "again" }),
    sampleEvent("approval.requested", requestedTool),
    sampleEvent("approval.decided", { ...decided, approval: 9, choice: "reject" }, byAda),
    sampleEvent("question.asked", { ...asked, loop: "which-one" }),
    sampleEvent("question.answered", { ...answered, question: 11 }, byAda),
    sampleEvent("signal.received", { ...refused, of: "decide", why: "role-missing" }, byAda),
  ]);
  const summary = await summarizeRun(events);
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
  const events = chain([
    sampleEvent("approval.requested", requestedHandoff),
    sampleEvent("approval.decided", { ...decided, approval: 1 }, byAda),
    sampleEvent("action.claimed", claimedHandoff),
  ]);
  const summary = await summarizeRun(events);
  expect(summary).toMatchObject({ tools: [], handoffs: [{ name: "triage", count: 1 }] });
  expect(summary.spoken.map(({ what }) => what)).toEqual(["approved triage"]);
});

test("of what people said the latest SPOKEN_MAX are kept", async () => {
  const words = (count: number): LoopEvent[] =>
    Array.from({ length: count }, (_, index) =>
      sampleEvent("signal.received", { ...signal, name: String(index) }, byAda),
    );
  const all = await summarizeRun(chain(words(SPOKEN_MAX)));
  expect(all.spoken).toHaveLength(SPOKEN_MAX);
  const latest = await summarizeRun(chain(words(SPOKEN_MAX + 1)));
  expect(latest.spoken).toHaveLength(SPOKEN_MAX);
  expect(latest.spoken[0]?.sequence).toBe(2);
});
