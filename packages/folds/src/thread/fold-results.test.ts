import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createResultFold } from "./fold-results.ts";

const result = { digest: "hmac-sha256:1", size: 1, mediaType: "application/json" };
const event = (type: string, call: string, content: object): LoopEvent =>
  ({ type, call, content }) as unknown as LoopEvent;
const started = event("child.started", "asks", { child: "pays", step: 0 });
const settled = event("action.settled", "pays", { action: "tool", status: "ok", result });
const validated = event("call.output.validated", "pays", {});

function resultsOf(...events: readonly LoopEvent[]) {
  const fold = createResultFold("asks");
  for (const each of events) fold.apply(each);
  return [...fold.results()];
}

test("what a tool gave is a result when it was checked", () => {
  expect(resultsOf(started, settled, validated)).toEqual([[0, result]]);
});

test("of a tool that acted, and of which nobody checked what it gave, only that is known", () => {
  expect(resultsOf(started, settled)).toEqual([[0, null]]);
});

test("a tool that failed, or that another call asked for, has none", () => {
  const failed = event("action.settled", "pays", { action: "tool", status: "failed" });
  expect(resultsOf(started, failed)).toEqual([]);
  expect(resultsOf(settled, validated)).toEqual([]);
});
