/**
 * Mappings (spec/mapping.md): where the fields of a step's input come from. Parsed once, at
 * registration.
 */
import {
  formatPointer,
  type JsonObject,
  type JsonValue,
  type Mapping,
  type MappingSource,
  type PathSegment,
  parsePath,
  readPath,
} from "@turnseal/protocol";
import type { Report } from "./report.ts";

type Source =
  | { readonly kind: "constant"; readonly value: JsonValue }
  | { readonly kind: "path"; readonly text: string; readonly segments: readonly PathSegment[] };

export type CheckedMapping = readonly { readonly field: string; readonly source: Source }[];

const literalPrefix = "literal:";

/** Where a mapping stands, and which names it may start from. */
interface MappingPosition {
  readonly path: string;
  /** Bindings of earlier steps. */
  readonly bindings: ReadonlySet<string>;
  /** How many steps come before. */
  readonly stepsBefore: number;
}

/** Parses a mapping and reports paths that cannot be followed. */
export function checkMapping(
  mapping: Mapping,
  position: MappingPosition,
  report: Report,
): CheckedMapping {
  return Object.entries(mapping).flatMap(([field, written]) => {
    const path = position.path + formatPointer([field]);
    const source = parseSource(written, { ...position, path }, report);
    return source === undefined ? [] : [{ field, source }];
  });
}

function parseSource(
  written: MappingSource,
  position: MappingPosition,
  report: Report,
): Source | undefined {
  if (typeof written !== "string") return { kind: "constant", value: written.const };
  if (written.startsWith(literalPrefix)) {
    return { kind: "constant", value: written.slice(literalPrefix.length) };
  }
  const parsed = parsePath(written);
  if (parsed.kind === "refused") {
    report.refuse({
      rule: "mapping-path",
      path: position.path,
      message: `\`${written}\` ${parsed.reason}`,
      mend: "write a path such as $.input.field, a text such as literal:text, or { const }",
    });
    return undefined;
  }
  checkRoot(written, parsed.segments, position, report);
  return { kind: "path", text: written, segments: parsed.segments };
}

function checkRoot(
  text: string,
  segments: readonly PathSegment[],
  { path, bindings, stepsBefore }: MappingPosition,
  report: Report,
): void {
  const [root, index] = segments;
  if (root === "input") return;
  if (root === "steps") {
    const isKnown = typeof index === "number" && index >= -stepsBefore && index < stepsBefore;
    if (isKnown) return;
  } else if (typeof root === "string" && bindings.has(root)) return;
  const known = ["input", "steps[n]", ...bindings].join(", ");
  report.refuse({
    rule: "mapping-root",
    path,
    message: `\`${text}\` starts from what no earlier step gives`,
    mend: `start from one of: ${known}`,
  });
}

/** What of a step's result is known without looking at the record. */
const plainFacts: ReadonlySet<unknown> = new Set([
  ...["callId", "loopId", "loopVersion", "status", "output"],
]);

/** True when a mapping reads times or the trace of a step, or its result as a whole. */
export function readsRecord(mapping: CheckedMapping): boolean {
  return mapping.some(({ source }) => {
    if (source.kind === "constant" || source.segments[0] === "input") return false;
    return !plainFacts.has(source.segments[source.segments[0] === "steps" ? 2 : 1]);
  });
}

export type MappedFields =
  | { readonly kind: "mapped"; readonly fields: JsonObject }
  | { readonly kind: "broken"; readonly path: string; readonly reason: string };

/** Builds an object from what is known. A path that leads to nothing leaves its field out. */
export function applyMapping(mapping: CheckedMapping, known: JsonObject): MappedFields {
  const fields: Record<string, JsonValue> = {};
  for (const { field, source } of mapping) {
    if (source.kind === "constant") {
      fields[field] = source.value;
      continue;
    }
    const found = readPath(known, source.segments);
    if (found.kind === "broken") return { kind: "broken", path: source.text, reason: found.reason };
    if (found.kind === "value") fields[field] = found.value;
  }
  return { kind: "mapped", fields };
}
