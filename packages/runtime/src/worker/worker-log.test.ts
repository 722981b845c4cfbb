import { StoreError } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createWorkerLog } from "./worker-log.ts";

function openLog() {
  const lines: string[] = [];
  const log = createWorkerLog(
    (text) => lines.push(text),
    () => Date.UTC(2026, 0, 31),
  );
  return { log, read: () => lines.map((line) => JSON.parse(line)) };
}

const event = (type: string, content: object): LoopEvent =>
  ({ type, run: "r", sequence: 3, turn: 1, content, at: "2026-01-31T00:00:00.000Z" }) as never;

test("what happened to a run is one line with ids, names and outcomes", () => {
  const { log, read } = openLog();
  log.onEvent(event("turn.closed", { outcome: "completed", output: { digest: "x" } }));
  log.onEvent(event("action.unknown", { action: "tool", name: "local.pay", key: "k" }));
  const at = "2026-01-31T00:00:00.000Z";
  const place = { run: "r", sequence: 3, turn: 1 };
  expect(read()).toEqual([
    { at, level: "info", what: "turn.closed", ...place, outcome: "completed" },
    { at, level: "warn", what: "action.unknown", ...place, action: "tool", name: "local.pay" },
  ]);
});

test("what was said is never in it", () => {
  const { log, read } = openLog();
  log.onEvent(event("log", { level: "info", text: "CANARY" }));
  log.onEvent(event("action.claimed", { tool: "local.pay", arguments: "CANARY" }));
  log.sayError("worker.failed", new Error("CANARY"));
  log.sayError("worker.failed", new StoreError("STORE_FULL", "CANARY"));
  log.sayError("run.failed", new TypeError("CANARY"), { run: "r" });
  expect(read()[2]).toMatchObject({ what: "run.failed", run: "r", code: "TypeError" });
  expect(JSON.stringify(read())).not.toContain("CANARY");
  expect(read().map(({ code }) => code)).toEqual(["Error", "STORE_FULL", "TypeError"]);
});
