/** Compares the answer to one step with what its vector expects. Only what is named is compared. */
import type { JsonObject } from "@turnseal/protocol";
import { fromBase64, receiptId } from "@turnseal/protocol/receipts";
import {
  parseEventsAnswer,
  parseReceiptsAnswer,
  parseSessionAnswer,
  parseStreamAnswer,
} from "../program/answers.ts";
import type { CaseStep, LogEventExpectation, StepExpectation } from "../vectors/step-case.ts";
import { eventRules } from "./event-rules.ts";
import { findDifference, findPartMismatch } from "./find-mismatch.ts";
import { sessionRules } from "./session-rules.ts";

export function checkStep(
  { ask, expect = {} }: CaseStep,
  answer: JsonObject,
  named: ReadonlyMap<string, JsonObject>,
): string[] {
  const { same, lacks = [], outside } = expect;
  const text = JSON.stringify(answer);
  return [
    ...checkAnswer(ask, expect, answer),
    ...(same === undefined
      ? []
      : found(findDifference(named.get(same), answer, `as in the step ${same}`))),
    ...(outside === undefined ? [] : checkOutside(outside, answer)),
    ...lacks.filter((word) => text.includes(word)).map((word) => `the answer holds ${word}`),
  ];
}

function checkAnswer(ask: CaseStep["ask"], expect: StepExpectation, answer: JsonObject): string[] {
  switch (ask) {
    case "verify":
      return checkVerdict(expect.answer ?? {}, answer, "the verdict");
    case "events":
      return checkLog(expect, parseEventsAnswer(answer, "events").events);
    case "receipts":
      return checkReceipts(expect, answer);
    case "session":
      return [...checkNamed(expect, answer), ...checkSession(expect, answer)];
    case "stream":
      return [...checkNamed(expect, answer), ...checkJoined(expect.joined ?? {}, answer)];
    default:
      return checkNamed(expect, answer);
  }
}

function checkNamed(expect: StepExpectation, answer: JsonObject): string[] {
  if (expect.answer === undefined) return [];
  return found(findPartMismatch(expect.answer, answer, "the answer"));
}

function checkSession({ sessionRules: rules = [] }: StepExpectation, answer: JsonObject): string[] {
  const { envelopes } = parseSessionAnswer(answer, "session");
  return rules.flatMap((rule) => sessionRules[rule](envelopes));
}

/** Checks the joined pieces that one callback received. */
function checkJoined(expected: Readonly<Record<string, string>>, answer: JsonObject): string[] {
  const { calls } = parseStreamAnswer(answer, "stream");
  return Object.entries(expected).flatMap(([callback, text]) => {
    const told = calls.filter((call) => call.callback === callback);
    const joined = told.map(({ info }) => String(info["delta"])).join("");
    return found(findDifference(text, joined, `the pieces of ${callback}`));
  });
}

/** How often the world outside was reached, and whether under a key that it knew. */
function checkOutside(
  { again, ...counts }: NonNullable<StepExpectation["outside"]>,
  answer: JsonObject,
): string[] {
  const listOf = (name: string): readonly JsonObject[] =>
    Array.isArray(answer[name]) ? (answer[name] as readonly JsonObject[]) : [];
  return [
    ...Object.entries(counts).flatMap(([name, count]) =>
      found(findDifference(count, listOf(name).length, `the number of ${name}`)),
    ),
    ...(again === undefined
      ? []
      : found(findDifference(true, listOf("toolCalls").at(-1)?.["again"], "the same key again"))),
  ];
}

/** Findings in any order, by their codes and places. */
export function checkVerdict(expected: JsonObject, answer: JsonObject, where: string): string[] {
  const { findings, ...rest } = expected;
  const difference =
    findings === undefined
      ? undefined
      : findDifference(listPlaces(findings), listPlaces(answer["findings"]), `${where}, findings`);
  const mismatch =
    Object.keys(rest).length === 0 ? undefined : findPartMismatch(rest, answer, where);
  return [...found(mismatch), ...found(difference)];
}

function listPlaces(findings: unknown): string[] {
  const list = Array.isArray(findings) ? (findings as readonly JsonObject[]) : [];
  return list
    .map(({ code, sequence, turn }) => {
      const place = [turn === undefined ? "" : ` turn ${turn}`];
      if (sequence !== undefined) place.push(` event ${sequence}`);
      return `${code}${place.join("")}`;
    })
    .sort();
}

function checkLog(expect: StepExpectation, events: readonly JsonObject[]): string[] {
  const types = events.map(({ type }) => String(type));
  return [
    ...(expect.types === undefined
      ? []
      : found(findDifference(expect.types.join(" "), types.join(" "), "types of events"))),
    ...Object.entries(expect.counts ?? {}).flatMap(([type, count]) => {
      const actual = types.filter((seen) => seen === type).length;
      return actual === count ? [] : [`expected ${count} times ${type}, got ${actual}`];
    }),
    ...checkIncludedEvents(expect.includes ?? [], events),
    ...(expect.rules ?? []).flatMap((rule) => eventRules[rule](events)),
  ];
}

/** These events in this order; others may stand before, between and after them. */
function checkIncludedEvents(
  expected: readonly LogEventExpectation[],
  events: readonly JsonObject[],
): string[] {
  let position = 0;
  for (const [index, item] of expected.entries()) {
    const next = events.findIndex(
      (event, at) => at >= position && findPartMismatch(item, event, "") === undefined,
    );
    if (next === -1) return [`expected event ${index} (${item.type}) is not in its place`];
    position = next + 1;
  }
  return [];
}

function checkReceipts({ statements }: StepExpectation, answer: JsonObject): string[] {
  const { receipts } = parseReceiptsAnswer(answer, "receipts");
  if (statements === undefined) return [];
  if (statements.length !== receipts.length)
    return [`expected ${statements.length} receipts, got ${receipts.length}`];
  return receipts.flatMap(({ id, text }, index) => {
    const payload = readPayload(text);
    const named = payload === undefined ? "nothing" : receiptId(payload);
    return [
      ...found(findDifference(named, id, `the name of receipt ${index}`)),
      ...found(findPartMismatch(statements[index], readPredicate(payload), `receipt ${index}`)),
    ];
  });
}

function readPayload(text: string): Uint8Array | undefined {
  const envelope = parseQuietly(text) as { readonly payload?: unknown } | undefined;
  return fromBase64(String(envelope?.payload));
}

function readPredicate(payload: Uint8Array | undefined): unknown {
  const statement = parseQuietly(new TextDecoder().decode(payload));
  return (statement as { readonly predicate?: unknown } | undefined)?.predicate;
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function found(problem: string | undefined): string[] {
  return problem === undefined ? [] : [problem];
}
