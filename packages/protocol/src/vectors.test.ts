/**
 * Holds the code to the vectors of the specification. Every file of the folders below is read; a
 * file without a test fails.
 */
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  CALL_ERROR_CODES,
  type CallErrorCode,
  type CallErrorDetails,
  callError,
} from "./call-error.ts";
import { CanonicalJsonError, canonicalize, type JsonValue } from "./canonical-json.ts";
import { digestOf } from "./digest.ts";
import type { LoopEvent } from "./events/event.ts";
import { isVendorEventType } from "./events/event-types.ts";
import type { ParseMode } from "./loop/check-fields.ts";
import { isMappingSource } from "./loop/field-type.ts";
import { parseLoopDef } from "./loop/parse-loop-def.ts";
import { parsePath, readPath } from "./loop/path.ts";
import { PROBLEM_RULES, type Problem } from "./loop/problem.ts";
import { compareSemver, parseSemver, type Semver } from "./loop/semver.ts";
import { listVariables, renderTemplate, renderWithin } from "./loop/template.ts";
import type { CallEvent } from "./trace/call-event.ts";
import { pickCallEvents } from "./trace/pick-call-events.ts";
import { toTrace } from "./trace/to-trace.ts";

const spec = new URL("../../../spec/", import.meta.url);
const folders = ["canonical-json", "error", "event", "loop", "mapping", "template"];

interface Vector<Input, Expect> {
  readonly description: string;
  readonly input: Input;
  readonly expect: Expect;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, spec), "utf8"));
}

const driven = new Set<string>();

/** One test for each vector of a file. */
function drive<Input, Expect>(file: string, check: (input: Input, expect: Expect) => void): void {
  driven.add(file);
  const vectors = readJson(`vectors/${file}`) as Vector<Input, Expect>[];
  describe(file, () => {
    test.each(vectors.map((vector) => [vector.description, vector] as const))("%s", (_, vector) =>
      check(vector.input, vector.expect),
    );
  });
}

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
});
for (const name of readdirSync(new URL("schemas/", spec))) {
  ajv.addSchema(readJson(`schemas/${name}`) as object);
}
function validate(schema: string, value: unknown): boolean {
  return ajv.validate(`urn:turnseal:spec:0.1:${schema}`, value);
}

function locate(problems: readonly Pick<Problem, "rule" | "path">[]): string[] {
  return problems.map(({ rule, path }) => `${rule} at ${path}`).sort();
}

interface Reported {
  readonly kind: string;
  readonly problems?: readonly Pick<Problem, "rule" | "path">[];
  readonly warnings?: readonly Pick<Problem, "rule" | "path">[];
}

function checkParsed(input: { document: unknown; mode: ParseMode }, expected: Reported): void {
  const before = JSON.stringify(input.document);
  const parsed = parseLoopDef(input.document, input.mode);
  expect(parsed.kind).toBe(expected.kind);
  if (parsed.kind === "parsed") {
    expect(parsed.loop).toBe(input.document);
    expect(locate(parsed.warnings)).toEqual(locate(expected.warnings ?? []));
  } else expect(locate(parsed.problems)).toEqual(locate(expected.problems ?? []));
  expect(JSON.stringify(input.document)).toBe(before);
  // The schema describes strict mode, so there the two must agree on every document.
  if (input.mode === "strict")
    expect(validate("loop", input.document)).toBe(parsed.kind === "parsed");
}

drive("loop/parse.json", checkParsed);
drive("loop/flow.json", checkParsed);

// These rules belong to registration. Here the documents are only held to be well formed, so that
// what refuses them is the rule and not a slip in the vector.
drive("loop/register.json", (input: { document: unknown }, expected: Reported) => {
  expect(validate("loop", input.document)).toBe(true);
  expect(parseLoopDef(input.document).kind).toBe("parsed");
  const rules: readonly string[] = PROBLEM_RULES;
  for (const { rule } of [...(expected.problems ?? []), ...(expected.warnings ?? [])]) {
    expect(rules).toContain(rule);
  }
});

drive("loop/version.json", (input: { version: string }, expected: Semver & { kind: string }) => {
  const version = parseSemver(input.version);
  if (expected.kind === "refused") expect(version).toBeUndefined();
  else expect(version).toEqual({ core: expected.core, prerelease: expected.prerelease });
});

function parseVersion(text: string): Semver {
  const version = parseSemver(text);
  if (version === undefined) throw new Error(`${text} is not a version`);
  return version;
}

drive(
  "loop/version-order.json",
  (input: { versions: string[] }, expected: { sorted: string[] }) => {
    const compare = (a: string, b: string): number =>
      compareSemver(parseVersion(a), parseVersion(b));
    expect(input.versions.toSorted(compare)).toEqual(expected.sorted);
    for (const [index, lower] of expected.sorted.entries()) {
      for (const higher of expected.sorted.slice(index + 1)) {
        expect(compare(lower, higher), `${lower} < ${higher}`).toBeLessThan(0);
        expect(compare(higher, lower), `${higher} > ${lower}`).toBeGreaterThan(0);
      }
    }
  },
);

drive("loop/version-equal.json", (input: { versions: string[] }) => {
  const [first = "", ...others] = input.versions;
  expect(others.length).toBeGreaterThan(0);
  for (const other of others) {
    expect(compareSemver(parseVersion(first), parseVersion(other))).toBe(0);
  }
});

drive(
  "mapping/parse-path.json",
  (input: { path: string }, expected: { kind: string; segments?: unknown }) => {
    const parsed = parsePath(input.path);
    expect(parsed.kind).toBe(expected.kind);
    if (parsed.kind === "path") expect(parsed.segments).toEqual(expected.segments);
  },
);

// The kernel tests the meaning of expressions. Here each must have the form of a source.
drive("mapping/expression.json", (input: { cel: string }) => {
  expect(isMappingSource({ cel: input.cel })).toBe(true);
});

drive(
  "mapping/read-path.json",
  (input: { root: JsonValue; path: string }, expected: { kind: string; value?: JsonValue }) => {
    const parsed = parsePath(input.path);
    if (parsed.kind !== "path") throw new Error(parsed.reason);
    const { reason: _, ...found } = { reason: "", ...readPath(input.root, parsed.segments) };
    expect(found).toEqual(expected);
  },
);

drive(
  "template/render.json",
  (
    input: { template: string; input: JsonValue },
    expected: { text: string; variables: string[] },
  ) => {
    expect(renderTemplate(input.template, input.input)).toBe(expected.text);
    expect(renderWithin(input.template, input.input, expected.text.length)).toBe(expected.text);
    expect(listVariables(input.template)).toEqual(expected.variables);
  },
);

drive(
  "canonical-json/canonicalize.json",
  (
    input: { json: string },
    expected: { kind: string; text?: string; sha256?: string; code?: string },
  ) => {
    const value: unknown = JSON.parse(input.json);
    if (expected.kind === "canonical") {
      expect(canonicalize(value)).toBe(expected.text);
      expect(digestOf(value)).toBe(`sha256:${expected.sha256}`);
      return;
    }
    expect(() => canonicalize(value)).toThrow(CanonicalJsonError);
    expect(() => canonicalize(value)).toThrow(expect.objectContaining({ code: expected.code }));
  },
);

drive(
  "error/call-error.json",
  (
    input: { code: CallErrorCode; message: string; details?: Omit<CallErrorDetails, "lsr"> },
    expected: unknown,
  ) => {
    const error = callError(input.code, input.message, input.details);
    expect(error).toEqual(expected);
    const event = { type: "call.errored", at: "2026-01-31T12:00:00.000Z", content: error };
    const call = "11111111-1111-4111-8111-111111111111";
    expect(validate("call-event", { ...event, call })).toBe(true);
  },
);

drive("event/trace-run.json", (input: { events: LoopEvent[] }, expected: { trace: unknown[] }) => {
  expect(toTrace(pickCallEvents(input.events))).toEqual(expected.trace);
});

drive("event/to-trace.json", (input: { events: CallEvent[] }, expected: { trace: unknown[] }) => {
  const before = structuredClone(input.events);
  const trace = toTrace(input.events);
  expect(trace).toEqual(expected.trace);
  expect(input.events).toEqual(before);
  for (const event of input.events) {
    expect(validate("call-event", event), JSON.stringify(event)).toBe(true);
  }
  for (const event of trace) expect(validate("trace-event", event), event.type).toBe(true);
});

drive("event/vendor-type.json", (input: { type: string }, expected: { kind: string }) => {
  expect(isVendorEventType(input.type)).toBe(expected.kind === "vendor");
  const event = { type: input.type, at: "2026-01-31T12:00:00.000Z", content: {} };
  const call = "11111111-1111-4111-8111-111111111111";
  expect(validate("call-event", { ...event, call })).toBe(expected.kind === "vendor");
});

drive("event/call-event.json", (input: { event: unknown }, expected: { valid: boolean }) => {
  expect(validate("call-event", input.event)).toBe(expected.valid);
});

drive("event/loop-result.json", (input: { result: unknown }, expected: { valid: boolean }) => {
  expect(validate("loop-result", input.result)).toBe(expected.valid);
});

test("every file of vectors is a list of vectors, and some test drives it", () => {
  for (const folder of folders) {
    const names = readdirSync(new URL(`vectors/${folder}/`, spec)).filter((name) =>
      name.endsWith(".json"),
    );
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const file = `${folder}/${name}`;
      const vectors = readJson(`vectors/${file}`) as object[];
      expect(validate("vector", vectors), file).toBe(true);
      for (const vector of vectors) {
        expect(Object.keys(vector), file).toEqual(["description", "input", "expect"]);
      }
      expect([...driven], file).toContain(file);
    }
  }
});

test("every call error code has a vector", () => {
  const vectors = readJson("vectors/error/call-error.json") as Vector<{ code: string }, unknown>[];
  const tried = new Set(vectors.map(({ input }) => input.code));
  expect([...tried].sort()).toEqual([...CALL_ERROR_CODES].sort());
});

describe("documents in the form of LSEM's reference runtime", () => {
  const names = readdirSync(new URL("vectors/loop/documents/", spec));

  test("there are at least six, of every kind", () => {
    const kinds = names.map((name) => {
      const { kind } = readJson(`vectors/loop/documents/${name}`) as { kind: string };
      return kind;
    });
    expect(names.length).toBeGreaterThanOrEqual(6);
    expect([...new Set(kinds)].sort()).toEqual(["composite", "prompt", "tool"]);
  });

  test.each(names)("%s loads unchanged, in strict mode and without a warning", (name) => {
    const document = readJson(`vectors/loop/documents/${name}`);
    const digest = digestOf(document);
    const parsed = parseLoopDef(document);
    expect(parsed).toEqual({ kind: "parsed", loop: document, warnings: [] });
    expect(digestOf(document)).toBe(digest);
    expect(validate("loop", document)).toBe(true);
  });
});
