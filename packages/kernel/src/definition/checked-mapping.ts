/**
 * Mappings (spec/mapping.md): where the fields of a step's input come from. Parsed once, at
 * registration.
 */
import {
  type ConditionFailure,
  formatPointer,
  type JsonObject,
  type JsonValue,
  type Mapping,
  type MappingSource,
  NEAREST_LENGTH_MAX,
  type PathSegment,
  parsePath,
  readPath,
} from "@turnseal/protocol";
import type { KnownNames } from "../bounded/condition/compile-node.ts";
import {
  compileExpression,
  EXPRESSION_STEPS_MAX,
  type Expression,
} from "../bounded/condition/expression.ts";
import { spendOnValue } from "../bounded/condition/spend-on-value.ts";
import type { Meter } from "../bounded/meter.ts";
import type { Report } from "./report.ts";

export type CheckedSource =
  | { readonly kind: "constant"; readonly value: JsonValue }
  | { readonly kind: "path"; readonly text: string; readonly segments: readonly PathSegment[] }
  | {
      readonly kind: "expression";
      readonly text: string;
      readonly evaluate: Expression;
      /** The type that can be seen in it; `dyn` where it depends on what is known. */
      readonly type: string;
      readonly reads: readonly (readonly PathSegment[])[];
    };

export type ParsedSource = CheckedSource | RefusedSource;

interface RefusedSource {
  readonly kind: "refused";
  readonly rule: "mapping-path" | "mapping-expression";
  readonly text: string;
  readonly reason: string;
}

export type CheckedMapping = readonly { readonly field: string; readonly source: CheckedSource }[];

const literalPrefix = "literal:";

/** Reads a source. `names` are the names that an expression may use. */
export function parseSource(written: MappingSource, names: Iterable<string>): ParsedSource {
  return parseSourceOver(written, new Map(Array.from(names, (name) => [name, undefined])));
}

/** Reads a source over names whose fields may be known. */
export function parseSourceOver(written: MappingSource, names: KnownNames): ParsedSource {
  if (typeof written === "string") return parseText(written);
  if (!("cel" in written)) return { kind: "constant", value: written.const };
  const { cel: text } = written;
  const compiled = compileExpression(text, names);
  if (compiled.kind === "refused") return { ...compiled, rule: "mapping-expression", text };
  const { evaluate, type, reads } = compiled;
  return { kind: "expression", text, evaluate, type, reads };
}

function parseText(text: string): ParsedSource {
  if (text.startsWith(literalPrefix))
    return { kind: "constant", value: text.slice(literalPrefix.length) };
  const parsed = parsePath(text);
  return parsed.kind === "refused"
    ? { ...parsed, rule: "mapping-path", text }
    : { kind: "path", text, segments: parsed.segments };
}

/** The paths a source may read from its root, as far as it spells them out. */
export function listReads(source: CheckedSource): readonly (readonly PathSegment[])[] {
  if (source.kind === "constant") return [];
  return source.kind === "path" ? [source.segments] : source.reads;
}

/** Where a mapping stands, and which names it may start from. */
interface MappingPosition {
  readonly path: string;
  /** Bindings of earlier steps. */
  readonly bindings: ReadonlySet<string>;
  /** How many steps come before. */
  readonly stepsBefore: number;
}

/** Parses a mapping and reports sources that can give nothing. */
export function checkMapping(
  mapping: Mapping,
  position: MappingPosition,
  report: Report,
): CheckedMapping {
  return Object.entries(mapping).flatMap(([field, written]) => {
    const path = position.path + formatPointer([field]);
    const source = parseSource(written, ["input", ...position.bindings]);
    if (source.kind === "refused") {
      reportRefused(source, { path, report });
      return [];
    }
    if (source.kind === "path") checkRoot(source, { ...position, path }, report);
    return [{ field, source }];
  });
}

const mends: Readonly<Record<RefusedSource["rule"], string>> = {
  "mapping-path": "write a path such as $.input.field, a text such as literal:text, or { const }",
  "mapping-expression": "write CEL over input and earlier bindings, such as 'a ' + input.field",
};

/** UTF-16 units of an expression that are shown. */
const SHOWN_LENGTH = 100;

export function reportRefused(
  { rule, text, reason }: RefusedSource,
  { path, report, mend = mends[rule] }: { path: string; report: Report; mend?: string | undefined },
): void {
  const shown =
    text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH).toWellFormed()}...` : text;
  const message = rule === "mapping-path" ? `\`${text}\` ${reason}` : `\`${shown}\`: ${reason}`;
  report.refuse({ rule, path, message, mend });
}

/** Bindings that are named where a path starts from another; there may be hundreds. */
const BINDINGS_SHOWN = 12;

function checkRoot(
  { text, segments: [root, index] }: Extract<CheckedSource, { readonly kind: "path" }>,
  { path, bindings, stepsBefore }: MappingPosition,
  report: Report,
): void {
  if (root === "input") return;
  if (root === "steps") {
    const isKnown = typeof index === "number" && index >= -stepsBefore && index < stepsBefore;
    if (isKnown) return;
  } else if (typeof root === "string" && bindings.has(root)) return;
  const named = [...bindings].filter(({ length }) => length <= NEAREST_LENGTH_MAX);
  const known = ["input", "steps[n]", ...named.slice(0, BINDINGS_SHOWN)].join(", ");
  report.refuse({
    rule: "mapping-root",
    path,
    message: `\`${text}\` starts from what no earlier step gives`,
    mend: `start from one of: ${known}`,
  });
}

/** The parts of a step's result that are known without reading the record. */
const plainFacts: ReadonlySet<unknown> = new Set([
  ...["callId", "loopId", "loopVersion", "status", "output"],
]);

/** True when a mapping reads times or the trace of a step, or its result as a whole. */
export function readsRecord(mapping: CheckedMapping): boolean {
  return mapping.some(({ source }) =>
    listReads(source).some(([root, first, second]) => {
      if (root === "input") return false;
      return !plainFacts.has(root === "steps" ? second : first);
    }),
  );
}

export type MappedFields =
  | { readonly kind: "mapped"; readonly fields: JsonObject }
  | { readonly kind: "broken"; readonly path: string; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly field: string;
      readonly expression: string;
      readonly failure: ConditionFailure;
    };

/**
 * Builds an object from the known results. A path without a value leaves its field out. All
 * expressions share the steps, so that many of them cost no more than one.
 */
export function applyMapping(
  mapping: CheckedMapping,
  known: JsonObject,
  meter: Meter = { stepsLeft: EXPRESSION_STEPS_MAX },
): MappedFields {
  const fields: Record<string, JsonValue> = {};
  for (const { field, source } of mapping) {
    if (source.kind === "constant") {
      fields[field] = source.value;
    } else if (source.kind === "path") {
      const found = readPath(known, source.segments);
      if (found.kind === "broken")
        return { kind: "broken", path: source.text, reason: found.reason };
      if (found.kind === "value") fields[field] = found.value;
    } else {
      const evaluated = source.evaluate(known, meter);
      const failed = { kind: "failed", field, expression: source.text } as const;
      if (evaluated.kind === "failed") return { ...failed, failure: evaluated.failure };
      if (!spendOnValue(evaluated.value, meter)) return { ...failed, failure: "steps-exhausted" };
      fields[field] = evaluated.value;
    }
  }
  return { kind: "mapped", fields };
}
