/**
 * One conformance case from its vector file (spec/conformance.md, "Vectors"): what to send, and the
 * expected answers.
 *
 * Every object is read exactly: a field that is not listed here is an error of the vector, never
 * passed over.
 */
import { parseCalls, parseGet, parseMode, parseScript } from "../program/requests.ts";
import {
  parseCount,
  parseExactFields,
  parseJson,
  parseList,
  parseTable,
  parseText,
  parseTrue,
  parseWord,
  ShapeError,
} from "../shape.ts";
import { TRACE_RULE_NAMES } from "./trace-rule-names.ts";

const parseInput = parseExactFields(
  { documents: parseList(parseJson) },
  {
    mode: parseMode,
    get: parseList(parseGet),
    script: parseScript,
    calls: parseCalls,
    together: parseTrue,
  },
);

const parseDocumentExpectation = parseExactFields(
  { kind: parseWord("accepted", "rejected") },
  { mentions: parseText },
);
const parseEventExpectation = parseExactFields(
  { call: parseCount, type: parseText },
  { payload: parseTable(parseJson) },
);
const parsePayloadExpectation = parseExactFields(
  { type: parseText, keys: parseList(parseText) },
  {
    call: parseCount,
    optional: parseList(parseText),
    values: parseTable(parseJson),
    durations: parseList(parseText),
    counts: parseList(parseText),
    texts: parseList(parseText),
  },
);
const parseCallExpectation = parseExactFields(
  {},
  {
    status: parseWord("ok", "error"),
    output: parseJson,
    error: parseExactFields({ code: parseText }, { details: parseTable(parseJson) }),
    trace: parseList(parseEventExpectation),
    includes: parseList(parseEventExpectation),
    counts: parseTable(parseCount),
    payloads: parseList(parsePayloadExpectation),
    rules: parseList(parseWord(...TRACE_RULE_NAMES)),
    backendRequests: parseList(parseTable(parseJson)),
    toolCalls: parseList(parseTable(parseJson)),
    inputAfter: parseJson,
  },
);

const parseExpectation = parseExactFields(
  {},
  {
    documents: parseList(parseDocumentExpectation),
    list: parseList(parseExactFields({ id: parseText, version: parseText }, {})),
    got: parseList(parseJson),
    calls: parseList(parseCallExpectation),
    sameTrace: parseList(
      parseExactFields({ call: parseCount, child: parseCount, alone: parseCount }, {}),
    ),
    apart: parseTrue,
  },
);

const parseCase = parseExactFields(
  { name: parseText, description: parseText, input: parseInput, expect: parseExpectation },
  {},
);

export type ConformanceCase = ReturnType<typeof parseCase>;
export type CaseExpectation = ConformanceCase["expect"];
export type CallExpectation = ReturnType<typeof parseCallExpectation>;
export type EventExpectation = ReturnType<typeof parseEventExpectation>;
export type PayloadExpectation = ReturnType<typeof parsePayloadExpectation>;

/** Reads one case; throws when it is malformed or could never fail. */
export function parseConformanceCase(value: unknown, where: string): ConformanceCase {
  const parsed = parseCase(value, where);
  const { input, expect } = parsed;
  const at = `${where} (${parsed.name})`;
  requireThat(
    /^[a-z]+(-[a-z]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/.test(parsed.name),
    at,
    "named topic/words",
  );
  requireThat(Object.keys(expect).length > 0, at, "a case with an expectation");
  requireThat((expect.calls ?? []).every(hasExpectation), at, "free of empty call expectations");
  requireThat(
    expect.calls === undefined || expect.calls.length === input.calls?.length,
    at,
    "a case with one expectation per call",
  );
  requireThat(
    expect.documents === undefined || expect.documents.length === input.documents.length,
    at,
    "a case with one expectation per document",
  );
  requireThat(expect.got?.length === input.get?.length, at, "a case with one `got` per `get`");
  return parsed;
}

function hasExpectation(expectation: CallExpectation): boolean {
  return Object.keys(expectation).length > 0;
}

function requireThat(condition: boolean, where: string, expected: string): void {
  if (!condition) throw new ShapeError(where, expected);
}
