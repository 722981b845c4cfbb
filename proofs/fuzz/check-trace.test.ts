import type { LoopResult } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { checkTrace } from "./check-trace.ts";

/** A result with the events of a trace, each as `call type`. */
const resultOf = (status: "ok" | "error", ...events: string[]): LoopResult => {
  const trace = events.map((event) => {
    const [callId = "", type = ""] = event.split(" ");
    return { callId, type, ts: "" };
  });
  return { callId: "root", status, trace } as unknown as LoopResult;
};

const child = ["a call.started", "a call.completed"];

test("a trace in which every call ends once, the root last, is right", () => {
  const whole = ["root call.started", ...child, "root log", "root call.completed"];
  expect(checkTrace(resultOf("ok", ...whole))).toEqual([]);
  expect(checkTrace(resultOf("error", "root call.started", "root call.errored"))).toEqual([]);
});

test.each<[string, LoopResult]>([
  [
    "a call that never ends",
    resultOf("ok", "root call.started", "a call.started", "root call.completed"),
  ],
  [
    "an event after the end",
    resultOf("ok", "root call.started", ...child, "a log", "root call.completed"),
  ],
  ["two ends", resultOf("ok", "root call.started", "root call.completed", "root call.completed")],
  [
    "two beginnings",
    resultOf("ok", "root call.started", "root call.started", "root call.completed"),
  ],
  [
    "an event before the beginning",
    resultOf("ok", "root log", "root call.started", "root call.completed"),
  ],
  ["another end than the status says", resultOf("ok", "root call.started", "root call.errored")],
  ["a child that ends last", resultOf("ok", "root call.started", "root call.completed", ...child)],
  ["nothing", resultOf("ok")],
])("%s is found", (_, result) => {
  expect(checkTrace(result)).not.toEqual([]);
});

/** A child of the root that begins in a flow and has no further event. */
const begun = (path: string): LoopResult => {
  const [root = { callId: "root" }, child, end] = resultOf(
    "ok",
    ...["root call.started", "a call.started", "root call.completed"],
  ).trace;
  const started = { ...root, type: "child.started", payload: { childCallId: "a", path } };
  return {
    callId: "root",
    status: "ok",
    trace: [root, started, child, end],
  } as unknown as LoopResult;
};

test("only what was begun in an item of a fan-out may be left without an end", () => {
  expect(checkTrace(begun("/flow/branches/1"))).toEqual([]);
  expect(checkTrace(begun("/flow/nodes/0/items/12/nodes/1"))).toEqual([]);
  expect(checkTrace(begun("/flow/nodes/1"))).toEqual(["a never ends"]);
});
