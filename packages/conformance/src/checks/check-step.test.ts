/** The messages of each kind of expectation when the program does otherwise. */
import { hashEvent, type JsonObject } from "@turnseal/protocol";
import { receiptId, toBase64 } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import type { CaseStep, StepExpectation } from "../vectors/step-case.ts";
import { checkStep, checkVerdict } from "./check-step.ts";

const check = (ask: CaseStep["ask"], expectation: StepExpectation, answer: JsonObject): string[] =>
  checkStep({ ask, expect: expectation }, answer, new Map([["before", { digest: "a" }]]));

function event(sequence: number, type: string, fields: JsonObject = {}): JsonObject {
  const actor = { kind: "kernel", id: "kernel" };
  const at = "2026-01-01T00:00:00.000Z";
  const base = { id: "i", run: "r", sequence, epoch: 1, type, at, actor, content: {} };
  const unhashed = { ...base, previous: "", ...fields };
  return { ...unhashed, hash: hashEvent(unhashed as unknown as Parameters<typeof hashEvent>[0]) };
}

describe("an answer", () => {
  const answer = { due: "done", turns: 2, waiting: [{ action: "k", name: "pay" }], rest: {} };

  test.each<[string, StepExpectation]>([
    ["some of its fields", { answer: { due: "done" } }],
    ["some of the fields in a list", { answer: { waiting: [{ name: "pay" }] } }],
    ["that it is empty", { answer: { rest: {} } }],
    ["a text that it lacks", { lacks: ["secret"] }],
  ])("is as expected, where a vector names %s", (_, expectation) => {
    expect(check("advance", expectation, answer)).toEqual([]);
  });

  test.each<[string, StepExpectation, string]>([
    ["another value", { answer: { turns: 3 } }, "turns: expected 3, got 2"],
    ["a field too few", { answer: { stopped: null } }, "got nothing"],
    ["an item too many", { answer: { waiting: [] } }, "waiting: expected []"],
    ["something in place of nothing", { answer: { waiting: [{}] } }, "expected {}"],
    ["what an earlier one did not", { same: "before" }, "as in the step before"],
    ["what it must lack", { lacks: ["pay"] }, "the answer holds pay"],
    ["fewer calls outside", { outside: { toolCalls: 1 } }, "expected 1, got 0"],
    ["no call under the same key", { outside: { again: true } }, "the same key again"],
  ])("with %s is a problem", (_, expectation, text) => {
    expect(check("advance", expectation, answer).join()).toContain(text);
  });
});

describe("a log", () => {
  const first = event(1, "run.started");
  const claim = event(2, "action.claimed", { previous: String(first["hash"]) });
  const settled = event(3, "action.settled", {
    previous: String(claim["hash"]),
    content: { claim: 2 },
  });
  const events = [first, claim, settled];

  test("is as expected", () => {
    const rules = ["chained", "events-in-time", "one-end-per-claim"] as const;
    const types = ["run.started", "action.claimed", "action.settled"];
    const includes = [{ type: "run.started" }, { type: "action.settled", content: { claim: 2 } }];
    const counts = { "action.claimed": 1, log: 0 };
    expect(check("events", { rules, types, includes, counts }, { events })).toEqual([]);
  });

  test.each<[string, StepExpectation, readonly JsonObject[], string]>([
    ["other types", { types: ["log"] }, events, "types of events"],
    ["another number", { counts: { log: 1 } }, events, "expected 1 times log, got 0"],
    [
      "another order",
      { includes: [{ type: "action.settled" }, { type: "run.started" }] },
      events,
      "expected event 1 (run.started)",
    ],
    ["a gap", { rules: ["chained"] }, [first, settled], "event 2: CHAIN_GAP"],
    [
      "a time that goes back",
      { rules: ["events-in-time"] },
      [first, event(2, "log", { at: "2025-01-01T00:00:00.000Z" })],
      "event 2 is earlier",
    ],
    ["two ends", { rules: ["one-end-per-claim"] }, [...events, settled], "ends what is not open"],
  ])("with %s is a problem", (_, expectation, log, text) => {
    expect(check("events", expectation, { events: log }).join()).toContain(text);
  });
});

describe("receipts", () => {
  const payload = new TextEncoder().encode(JSON.stringify({ predicate: { outcome: "failed" } }));
  const text = JSON.stringify({ payload: toBase64(payload) });
  const answer = (id: string, sealed = text) => ({
    receipts: [{ turn: 1, id, text: sealed }],
    keys: [],
  });
  const id = receiptId(payload);

  test("are as expected", () => {
    expect(check("receipts", { statements: [{ outcome: "failed" }] }, answer(id))).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    ["another outcome", answer(id, text.replace("payload", "payloads")), "receipt 0"],
    ["another name", answer("sha256:0"), "the name of receipt 0"],
    ["too few", { receipts: [], keys: [] }, "expected 1 receipts, got 0"],
    ["no receipt", answer(id, "nonsense"), "the name of receipt 0"],
  ])("with %s are a problem", (_, seen, problem) => {
    const statements = [{ outcome: "failed" }];
    expect(check("receipts", { statements }, seen).join()).toContain(problem);
  });
});

test("findings may stand in any order, and none may be missing or too many", () => {
  const one = { code: "CHAIN_GAP", sequence: 2 };
  const two = { code: "RECEIPT_MISSING", turn: 1, message: "words" };
  const expected = { valid: false, findings: [{ code: "RECEIPT_MISSING", turn: 1 }, one] };
  const verdict = { valid: false, findings: [one, two] };
  expect(checkVerdict(expected, verdict, "verdict")).toEqual([]);
  expect(checkVerdict(expected, { ...verdict, findings: [one] }, "verdict")).toHaveLength(1);
  expect(checkVerdict(expected, { ...verdict, valid: true }, "verdict")).toHaveLength(1);
});
