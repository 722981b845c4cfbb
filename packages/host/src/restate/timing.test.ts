import { createRegistry } from "@turnseal/kernel";
import { expect, test } from "vitest";
import { SLICE_MS_DEFAULT } from "../advance.ts";
import {
  ACTION_MAX_MS_DEFAULT,
  engineTiming,
  listSlowTools,
  RETRY_PAUSE_MS_MAX,
  WAIT_INLINE_MS,
} from "./timing.ts";

test("the engine waits longer than anything can take", () => {
  const timing = engineTiming();
  const longestMs = SLICE_MS_DEFAULT + ACTION_MAX_MS_DEFAULT;
  expect(timing.inactivityTimeout).toBeGreaterThanOrEqual(longestMs);
  expect(timing.abortTimeout).toBeGreaterThanOrEqual(longestMs);
  expect(engineTiming({ actionMaxMs: 5, sliceMs: 7 })).toEqual({
    ...{ actionMaxMs: 5, sliceMs: 7, inactivityTimeout: 12, abortTimeout: 12 },
  });
});

test("pauses and waits inside a message are short", () => {
  expect(RETRY_PAUSE_MS_MAX).toBeLessThanOrEqual(5_000);
  expect(WAIT_INLINE_MS).toBeLessThan(SLICE_MS_DEFAULT);
});

test("tools that may take longer than the host allows are named", () => {
  const registry = createRegistry();
  const tool = (id: string, timeoutMs: number) =>
    registry.register({
      ...{ id, name: id, version: "1.0.0", kind: "tool", inputSchema: true, outputSchema: true },
      tool: { implementation: `local.${id}` },
      policy: { timeoutMs },
    });
  tool("quick", ACTION_MAX_MS_DEFAULT);
  tool("slow", ACTION_MAX_MS_DEFAULT + 1);
  expect(listSlowTools(registry, engineTiming())).toEqual(["slow"]);
});
