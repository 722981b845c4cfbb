import { SAMPLE_CONTENTS, SAMPLE_REF, StoreError, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createWorkerLog, logRuns } from "./worker-log.ts";

function openLog() {
  const lines: string[] = [];
  const log = createWorkerLog(
    (text) => lines.push(text),
    () => Date.UTC(2026, 0, 31),
  );
  const hear = (event: LoopEvent) => logRuns(log).onEvent?.(event, { tenant: "acme" });
  return { log, hear, read: () => lines.map((line) => JSON.parse(line)) };
}

const place = { run: "r", sequence: 3, turn: 1 };
const { turnClosed, unknown, claimedTool } = SAMPLE_CONTENTS;

test("what happened to a run is one line with ids, names and outcomes", () => {
  const { hear, read } = openLog();
  hear(sampleEvent("turn.closed", { ...turnClosed, output: SAMPLE_REF }, place));
  hear(sampleEvent("action.unknown", unknown, place));
  const at = "2026-01-31T00:00:00.000Z";
  expect(read()).toEqual([
    { at, level: "info", what: "turn.closed", tenant: "acme", ...place, outcome: "completed" },
    {
      ...{ at, level: "warn", what: "action.unknown", tenant: "acme", ...place },
      ...{ action: "tool", name: "local.pay" },
    },
  ]);
});

test("what was said is never in it", () => {
  const { log, hear, read } = openLog();
  const message = { ...SAMPLE_REF, mediaType: "CANARY" };
  hear(sampleEvent("log", { level: "info", message }, place));
  hear(sampleEvent("action.claimed", { ...claimedTool, request: message }, place));
  log.sayError("worker.failed", new Error("CANARY"));
  log.sayError("worker.failed", new StoreError("STORE_FULL", "CANARY"));
  log.sayError("run.failed", new TypeError("CANARY"), { run: "r" });
  expect(read()[2]).toMatchObject({ what: "run.failed", run: "r", code: "TypeError" });
  expect(JSON.stringify(read())).not.toContain("CANARY");
  expect(read().map(({ code }) => code)).toEqual(["Error", "STORE_FULL", "TypeError"]);
});
