/**
 * Checks a schema at registration, so that compiling it later cannot fail.
 *
 * Schemas come with documents, from anyone. Size and depth are capped, and references stay inside
 * the schema. Patterns that can backtrack without end are refused, and so is every construct whose
 * meaning depends on where a schema was loaded from.
 */
import {
  canonicalize,
  formatPointer,
  isPlainObject,
  type JsonObject,
  type JsonValue,
} from "@turnseal/protocol";
import { compilePattern } from "../bounded/pattern/compile-pattern.ts";
import { type Draft, findDraft, listForeign } from "../bounded/schema/dialects.ts";
import { isEndless } from "../bounded/schema/is-endless.ts";
import { findSchemaFault } from "../bounded/schema/schema-validator.ts";
import { createResolver, listAnchors, listSubschemas } from "../bounded/schema/schema-walk.ts";
import { SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX, SCHEMA_PATTERNS_MAX } from "../limits.ts";
import type { Report } from "./report.ts";
import { utf8Length } from "./utf8-length.ts";

const refusedKeywords = ["$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"];

/** Reports what is wrong with the schema at `path` of its document. */
export function checkSchema(schema: JsonValue, path: string, report: Report): void {
  if (utf8Length(canonicalize(schema)) > SCHEMA_BYTES_MAX) {
    report.refuse({
      rule: "schema-size",
      path,
      message: `the schema is larger than ${SCHEMA_BYTES_MAX} bytes`,
      mend: "make it smaller",
    });
    return;
  }
  const found = report.problems.length;
  const resolve = createResolver(schema);
  const declared = isPlainObject(schema) ? schema["$schema"] : undefined;
  // An unknown draft is refused where it stands.
  const draft = findDraft(declared) ?? "draft/2020-12";
  checkSubschema({ schema, draft, resolve, patterns: new Set(), path, depth: 0 }, report);
  if (report.problems.length > found) return;
  const fault = findSchemaFault(schema);
  if (fault !== undefined) {
    report.refuse({
      rule: "schema-invalid",
      path: path + fault.path,
      message: `the schema ${fault.message}`,
      mend: "write JSON Schema 2020-12",
    });
    return;
  }
  checkAnchors(schema, path, report);
  if (isEndless(schema)) {
    report.refuse({
      rule: "schema-reference",
      path,
      message: "the schema refers to itself without going into the value",
      mend: "break the cycle of references",
    });
  }
}

function checkAnchors(schema: JsonValue, path: string, report: Report): void {
  const names = new Set<string>();
  for (const [name] of listAnchors(schema)) {
    if (names.has(name)) {
      report.refuse({
        rule: "schema-reference",
        path,
        message: `$anchor ${name} is given twice`,
        mend: "give each anchor a name of its own",
      });
    }
    names.add(name);
  }
}

interface SchemaPosition {
  readonly schema: JsonValue;
  /** The draft that the whole schema is written in. */
  readonly draft: Draft;
  readonly resolve: (reference: string) => JsonValue | undefined;
  /** The patterns of the whole schema so far. */
  readonly patterns: Set<string>;
  readonly path: string;
  readonly depth: number;
}

function checkSubschema(position: SchemaPosition, report: Report): void {
  const { schema, draft, resolve, patterns, path, depth } = position;
  if (!isPlainObject(schema)) return;
  if (depth > SCHEMA_DEPTH_MAX) {
    report.refuse({
      rule: "schema-depth",
      path,
      message: `the schema nests deeper than ${SCHEMA_DEPTH_MAX}`,
      mend: "move parts into $defs",
    });
    return;
  }
  checkDialect(schema as JsonObject, position, report);
  checkIdentity(schema as JsonObject, position, report);
  checkReference(schema["$ref"], resolve, path, report);
  checkPatterns(schema as JsonObject, position, report);
  for (const { schema: below, segments } of listSubschemas(schema as JsonObject)) {
    if (segments.includes("__proto__")) {
      report.refuse({
        rule: "name-reserved",
        path,
        message: "`__proto__` is a reserved name",
        mend: "choose another name",
      });
    }
    const belowPath = path + formatPointer(segments);
    const belowPosition = { draft, resolve, patterns, path: belowPath, depth: depth + 1 };
    checkSubschema({ ...belowPosition, schema: below }, report);
  }
}

/** A document in another draft keeps its meaning, or is refused by the draft's name. */
function checkDialect(
  schema: JsonObject,
  { draft, path }: Pick<SchemaPosition, "draft" | "path">,
  report: Report,
): void {
  const declared = schema["$schema"];
  if (typeof declared === "string" && findDraft(declared) !== draft) {
    report.refuse({
      rule: "schema-invalid",
      path: `${path}/$schema`,
      message: `${declared} is not JSON Schema 2020-12, nor the draft of the whole schema`,
      mend: "remove $schema, or write the schema in draft 2020-12",
    });
  }
  for (const { keyword, mend } of listForeign(schema, draft)) {
    report.refuse({
      rule: "schema-invalid",
      path: path + formatPointer([keyword]),
      message: `${keyword} means something else in ${draft} than in draft 2020-12`,
      mend,
    });
  }
}

function checkIdentity(
  schema: JsonObject,
  { draft, path, depth }: Pick<SchemaPosition, "draft" | "path" | "depth">,
  report: Report,
): void {
  const keyword = draft === "draft-04" ? "id" : "$id";
  if (schema[keyword] !== undefined && depth > 0) {
    report.refuse({
      rule: "schema-reference",
      path: `${path}/${keyword}`,
      message: `a subschema has an ${keyword}`,
      mend: "use $anchor or $defs",
    });
  }
  for (const refused of refusedKeywords) {
    if (schema[refused] === undefined) continue;
    report.refuse({
      rule: "schema-reference",
      path: `${path}/${refused}`,
      message: `${refused} is not supported`,
      mend: "use $ref into $defs",
    });
  }
}

function checkReference(
  reference: unknown,
  resolve: SchemaPosition["resolve"],
  path: string,
  report: Report,
): void {
  if (typeof reference !== "string") return;
  if (!reference.startsWith("#")) {
    report.refuse({
      rule: "schema-reference",
      path: `${path}/$ref`,
      message: `${reference} is outside this schema`,
      mend: "copy the schema into $defs and refer to it as #/$defs/name",
    });
  } else if (resolve(reference) === undefined) {
    report.refuse({
      rule: "schema-reference",
      path: `${path}/$ref`,
      message: `${reference} does not exist`,
      mend: "define it in $defs",
    });
  }
}

function checkPatterns(
  schema: JsonObject,
  { patterns, path }: SchemaPosition,
  report: Report,
): void {
  const { pattern, patternProperties } = schema as Record<string, unknown>;
  if (typeof pattern === "string") checkPattern(pattern, patterns, `${path}/pattern`, report);
  if (!isPlainObject(patternProperties)) return;
  for (const source of Object.keys(patternProperties)) {
    checkPattern(source, patterns, `${path}/patternProperties`, report);
  }
}

function checkPattern(source: string, patterns: Set<string>, path: string, report: Report): void {
  // Compiling takes its time: an equal pattern is not compiled again, and too many are not at all.
  if (patterns.has(source) || patterns.size > SCHEMA_PATTERNS_MAX) return;
  patterns.add(source);
  const reason = findPatternFault(source, patterns.size);
  if (reason === undefined) return;
  report.refuse({
    rule: "schema-pattern",
    path,
    message: `the pattern ${reason}`,
    mend: "write a simpler pattern",
  });
}

function findPatternFault(source: string, count: number): string | undefined {
  if (count > SCHEMA_PATTERNS_MAX) return `is one more than the ${SCHEMA_PATTERNS_MAX} allowed`;
  const compiled = compilePattern(source);
  return compiled.kind === "refused" ? compiled.reason : undefined;
}
