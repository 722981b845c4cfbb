/**
 * One case of a profile about runs, from its vector file (spec/conformance.md, "Steps"): requests
 * in order, with the expected answer to each.
 *
 * Every object is read exactly: a field that is not listed here is an error of the vector, never
 * passed over.
 */
import { parseMode, parseScript } from "../program/requests.ts";
import {
  parseCount,
  parseExactFields,
  parseJson,
  parseList,
  parseObject,
  parseTable,
  parseText,
  parseTrue,
  parseWord,
  ShapeError,
} from "../shape.ts";
import { EVENT_RULE_NAMES } from "./event-rule-names.ts";
import { SESSION_RULE_NAMES } from "./session-rule-names.ts";

/** The methods of a step. */
export const STEP_METHODS = [
  "load",
  "compile",
  "script",
  "start",
  "advance",
  "tell",
  "events",
  "receipts",
  "requests",
  "standing",
  "contents",
  "verify",
  "project",
  "replay",
  "clock",
  "crash",
  "reopen",
  "lose",
  "canonicalize",
  "checkChain",
  "judge",
  "session",
  "stream",
  "conversation",
  "propose",
  "seat",
  "flow",
  "graph",
  "mplp",
  "files",
  "drift",
  "reconcile",
  "adopt",
  "rollback",
] as const;
/** Methods that only sessions need. */
export const SESSION_METHODS: readonly (typeof STEP_METHODS)[number][] = [
  "session",
  "stream",
  "conversation",
];
/** Methods that only flows need. */
export const FLOW_METHODS: readonly (typeof STEP_METHODS)[number][] = ["compile"];
/** Methods that only plans, tables and graphs need. */
export const GRAPH_METHODS: readonly (typeof STEP_METHODS)[number][] = [
  "propose",
  "seat",
  "flow",
  "graph",
  "mplp",
  "files",
  "drift",
  "reconcile",
  "adopt",
  "rollback",
];
/** Methods that only runs with rules, approvals and handoffs need. */
export const GOVERNED_METHODS: readonly (typeof STEP_METHODS)[number][] = [
  "requests",
  "standing",
  "contents",
  "judge",
];

const parseInput = parseExactFields(
  {},
  { documents: parseList(parseJson), mode: parseMode, script: parseScript },
);

/** A change that the suite makes to the run's own bundle before it is verified. */
const parseEdit = parseExactFields(
  {},
  {
    dropEvent: parseCount,
    changeEvent: parseExactFields({ sequence: parseCount, content: parseObject }, {}),
    rechainFrom: parseCount,
    swapEvents: parseList(parseCount),
    dropReceipt: parseCount,
    repeatReceipt: parseCount,
    flipSignature: parseCount,
    changeStatement: parseExactFields({ turn: parseCount, predicate: parseObject }, {}),
    dropKeys: parseTrue,
  },
);
export type BundleEdit = ReturnType<typeof parseEdit>;

const parseEventExpectation = parseExactFields(
  { type: parseText },
  { turn: parseCount, content: parseTable(parseJson), actor: parseTable(parseJson) },
);
export type LogEventExpectation = ReturnType<typeof parseEventExpectation>;

const parseStepExpectation = parseExactFields(
  {},
  {
    answer: parseTable(parseJson),
    types: parseList(parseText),
    includes: parseList(parseEventExpectation),
    counts: parseTable(parseCount),
    rules: parseList(parseWord(...EVENT_RULE_NAMES)),
    sessionRules: parseList(parseWord(...SESSION_RULE_NAMES)),
    joined: parseTable(parseText),
    statements: parseList(parseTable(parseJson)),
    outside: parseExactFields(
      {},
      { toolCalls: parseCount, backendRequests: parseCount, again: parseTrue },
    ),
    same: parseText,
    lacks: parseList(parseText),
  },
);
export type StepExpectation = ReturnType<typeof parseStepExpectation>;

const parseStep = parseExactFields(
  { ask: parseWord(...STEP_METHODS) },
  {
    with: parseTable(parseJson),
    as: parseText,
    edit: parseList(parseEdit),
    expect: parseStepExpectation,
  },
);
export type CaseStep = ReturnType<typeof parseStep>;

const parseCase = parseExactFields(
  { name: parseText, description: parseText, steps: parseList(parseStep) },
  { input: parseInput, twice: parseTrue },
);
export type StepCase = ReturnType<typeof parseCase>;

/** Reads one case; throws when it is malformed or could never fail. */
export function parseStepCase(value: unknown, where: string): StepCase {
  const parsed = parseCase(value, where);
  const at = `${where} (${parsed.name})`;
  requireThat(
    /^[a-z]+(-[a-z]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/.test(parsed.name),
    at,
    "named topic/words",
  );
  requireThat(
    parsed.twice === true || parsed.steps.some(hasExpectation),
    at,
    "a case that can fail",
  );
  const names = new Set<string>();
  for (const { as, ask, edit, expect } of parsed.steps) {
    const same = expect?.same;
    requireThat(same === undefined || names.has(same), at, `free of unknown steps such as ${same}`);
    requireThat(
      edit === undefined || ask === "verify",
      at,
      "free of edits of what is not verified",
    );
    requireThat(
      expect === undefined || Object.keys(expect).length > 0,
      at,
      "free of empty expectations",
    );
    if (as !== undefined) names.add(as);
  }
  return parsed;
}

function hasExpectation({ expect }: CaseStep): boolean {
  return expect !== undefined;
}

function requireThat(condition: boolean, where: string, expected: string): void {
  if (!condition) throw new ShapeError(where, expected);
}
