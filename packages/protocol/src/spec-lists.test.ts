/**
 * The closed lists of the specification's text and of its schemas are those of the code, word for
 * word.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ACTOR_KINDS } from "./actor.ts";
import { APPROVAL_CHOICES, DECISION_REFUSALS } from "./approval/approval.ts";
import { BUDGET_UNITS } from "./budget/budget.ts";
import { PERIOD_KINDS } from "./budget/period.ts";
import { ANSWER_FAULTS, CALL_ERROR_CODES } from "./call-error.ts";
import { TOOL_ASK_ERRORS } from "./events/action-end.ts";
import { LOG_LEVELS } from "./events/log.ts";
import { LOOP_KINDS } from "./loop/loop-def.ts";
import { PROBLEM_RULES } from "./loop/problem.ts";
import { isReservedName } from "./loop/reserved-names.ts";
import { EFFECTS, STOP_REASONS, TURN_OUTCOMES } from "./outcomes.ts";
import { CONDITION_FAILURES } from "./policy/decision.ts";
import { EXCLUSIONS } from "./policy/policy.ts";
import { RESOLUTIONS } from "./resolutions.ts";
import { TRACE_EVENT_TYPES } from "./trace/trace-event.ts";

const root = new URL("../../../", import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

interface SchemaPart {
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly not?: { readonly enum: readonly string[] };
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly oneOf?: readonly SchemaPart[];
  readonly $defs?: Readonly<Record<string, SchemaPart>>;
}

function readSchema(name: string): SchemaPart {
  return JSON.parse(read(`spec/schemas/${name}.schema.json`)) as SchemaPart;
}

test("spec/loop.md lists every rule once", () => {
  const section = read("spec/loop.md").split("## 7. Rules")[1] ?? "";
  const named = Array.from(section.matchAll(/`([a-z-]+)`/g), (match) => match[1] ?? "");
  expect(named.sort()).toEqual([...PROBLEM_RULES].sort());
});

test("spec/errors.md lists every call code, with the code of LSR", () => {
  const rows = Array.from(
    read("spec/errors.md").matchAll(/^\| `([A-Z_]+)` \|.*\| `([A-Z_]+)` \|$/gm),
    (match) => match[1],
  );
  expect(rows).toEqual([...CALL_ERROR_CODES]);
});

/** The names in backticks between two marks of a text. */
function listNames(text: string, [from, to]: readonly [string, string]): string[] {
  const part = text.split(from)[1]?.split(to)[0] ?? "";
  return Array.from(part.matchAll(/`([A-Za-z-]+)`/g), (match) => match[1] ?? "");
}

test("spec/run.md lists every outcome, stop reason, unit and effect", () => {
  const text = read("spec/run.md");
  const firstCells = (from: string) =>
    Array.from((text.split(from)[1] ?? "").split("\n\n")[1]?.matchAll(/^\| `([a-z-]+)`/gm) ?? []);
  const outcomes = firstCells("**3.4**").map((match) => match[1]);
  expect(outcomes.sort()).toEqual([...TURN_OUTCOMES].sort());
  expect(firstCells("**6.1**").map((match) => match[1])).toEqual([...EFFECTS]);
  expect(listNames(text, ["**2.3**", ". `projection-stale` names"])).toEqual([...STOP_REASONS]);
  expect(listNames(text, ["**5.1**", ". Amounts"])).toEqual([...BUDGET_UNITS]);
});

test("spec/run.md gives every stop reason that a run can record", () => {
  const decisions = read("spec/run.md").split("**2.2**")[1]?.split("**2.3**")[0] ?? "";
  const reserved = ["projection-stale"];
  for (const reason of STOP_REASONS) {
    expect(decisions.includes(`\`${reason}\``), reason).toBe(!reserved.includes(reason));
  }
});

test("spec/grant.md, spec/errors.md and the schemas list every kind of period", () => {
  const rows = read("spec/grant.md").split("**7.2**")[1]?.split("**7.3**")[0] ?? "";
  const named = Array.from(rows.matchAll(/^\| `([a-z]+)` \|/gm), (match) => match[1]);
  expect(named).toEqual([...PERIOD_KINDS]);
  expect(listNames(read("spec/errors.md"), ["the kind of period: ", " (grant.md"])).toEqual(named);
  for (const name of ["event", "call-event", "trace-event"])
    expect(readSchema(name).$defs?.["details"]?.properties?.["period"]?.enum).toEqual(named);
  expect(Object.keys(readSchema("event").$defs?.["periods"]?.properties ?? {})).toEqual(named);
  const { grant, spending } = readSchema("receipt").$defs ?? {};
  for (const part of [grant?.properties?.["perPeriod"], spending?.properties?.["periodic"]])
    expect(Object.keys(part?.properties ?? {})).toEqual(named);
});

test("spec/events.md lists every resolution", () => {
  const named = listNames(read("spec/events.md"), ["`resolution` is one of", "(log.md"]);
  expect(named).toEqual([...RESOLUTIONS]);
});

test("spec/events.md and spec/log.md list every actor", () => {
  const inEvents = listNames(read("spec/events.md"), ["an `id`, and its `kind`:", "|\n"]);
  const inLog = listNames(read("spec/log.md"), ["and `kind` is one of", "(events.md"]);
  expect(inEvents).toEqual([...ACTOR_KINDS]);
  expect(inLog).toEqual([...ACTOR_KINDS]);
});

test("spec/approval.md lists every choice, and why a decision does not count", () => {
  const text = read("spec/approval.md");
  const section = text.split("**2.2**")[1]?.split("**2.3**")[0] ?? "";
  const rows = Array.from(section.matchAll(/^\| `([a-z-]+)` \|/gm), (match) => match[1]);
  expect(rows).toEqual([...DECISION_REFUSALS]);
  expect(listNames(text, ["`choice`, one of", ";"])).toEqual([...APPROVAL_CHOICES]);
  const exclude = listNames(read("spec/policy.md"), ["although they have the role:", "or both"]);
  expect(exclude).toEqual([...EXCLUSIONS]);
});

test("spec/errors.md lists every fault of a prompt", () => {
  const section = read("spec/errors.md").split("**2.4**")[1]?.split("## 3.")[0] ?? "";
  const rows = Array.from(section.matchAll(/^\| `([A-Z_]+)` \|/gm), (match) => match[1]);
  expect(rows).toEqual([...ANSWER_FAULTS]);
});

test("docs/errors.md has a row for every call code, fault and rule", () => {
  const page = read("docs/errors.md");
  for (const code of [...CALL_ERROR_CODES, ...ANSWER_FAULTS, ...PROBLEM_RULES]) {
    expect(page, code).toContain(`| \`${code}\` |`);
  }
});

test("the schemas have the codes, kinds, levels and reserved names of the code", () => {
  for (const name of ["event", "call-event", "trace-event"]) {
    const { code, details } = readSchema(name).$defs ?? {};
    expect(code?.enum, name).toEqual([...CALL_ERROR_CODES]);
    expect(details?.properties?.["fault"]?.enum, name).toEqual([...ANSWER_FAULTS]);
    expect(details?.properties?.["failure"]?.enum, name).toEqual([...CONDITION_FAILURES]);
  }
  for (const name of ["event", "call-event"])
    expect(read(`spec/schemas/${name}.schema.json`)).toContain(
      TOOL_ASK_ERRORS.map((error) => `"${error}"`).join(", "),
    );
  expect(readSchema("event").$defs?.["actor"]?.properties?.["kind"]?.enum).toEqual([
    ...ACTOR_KINDS,
  ]);
  const loop = readSchema("loop");
  expect(loop.properties?.["kind"]?.enum).toEqual([...LOOP_KINDS]);
  const reserved = loop.$defs?.["name"]?.not?.enum ?? [];
  expect(reserved.length).toBe(3);
  expect(reserved.every(isReservedName)).toBe(true);
});

test("the schema of trace events has the twelve types of LSEM and the levels of a log line", () => {
  const kinds = readSchema("trace-event").oneOf ?? [];
  const types = kinds.flatMap(({ properties }) => properties?.["type"]?.const ?? []);
  expect(types.sort()).toEqual([...TRACE_EVENT_TYPES].sort());
  const log = kinds.find(({ properties }) => properties?.["type"]?.const === "log");
  expect(log?.properties?.["payload"]?.properties?.["level"]?.enum).toEqual([...LOG_LEVELS]);
});
