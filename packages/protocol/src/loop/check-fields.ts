/** Checks the fields of an object against a table, and collects what is wrong with them. */

import { isPlainObject } from "../canonical-json.ts";
import { findNearest } from "../find-nearest.ts";
import { formatPointer } from "../pointer.ts";
import { FIELD_TYPES, type FieldType, listNames } from "./field-type.ts";
import type { Problem } from "./problem.ts";
import { isReservedName } from "./reserved-names.ts";
import { parseSemver } from "./semver.ts";

export type ParseMode = "strict" | "lenient";

export interface FieldRule {
  readonly type: FieldType;
  readonly required?: true;
}

/** The fields that name another loop. */
export const referenceFields: Record<string, FieldRule> = {
  loopId: { type: "text", required: true },
  loopVersion: { type: "text" },
};

/** Checks lists of objects, most of which name another loop: steps, tools, filters; and routes. */
export function checkReferences(
  items: unknown,
  { path, fields }: { readonly path: string; readonly fields: Record<string, FieldRule> },
  report: Report,
): void {
  if (!Array.isArray(items)) return;
  items.forEach((item: unknown, index) => {
    checkObject(item, fields, `${path}/${index}`, report);
    if (isPlainObject(item) && item["loopVersion"] !== undefined) {
      checkVersion(item["loopVersion"], `${path}/${index}/loopVersion`, report);
    }
  });
}

export function checkObject(
  value: unknown,
  fields: Record<string, FieldRule>,
  path: string,
  report: Report,
): void {
  // A value that is not an object was reported by the field that holds it.
  if (isPlainObject(value)) checkFields(value, fields, path, report);
}

export function checkFields(
  object: Record<string, unknown>,
  fields: Record<string, FieldRule>,
  path: string,
  report: Report,
): void {
  for (const [name, rule] of Object.entries(fields)) {
    const value = object[name];
    if (value !== undefined) checkField(value, rule.type, `${path}/${name}`, report);
    else if (rule.required) {
      report.refuse({
        rule: "field-missing",
        path,
        message: `\`${name}\` is missing`,
        mend: `add the field \`${name}\``,
      });
    }
  }
  for (const name of Object.keys(object)) {
    if (Object.hasOwn(fields, name)) continue;
    if (isReservedName(name)) {
      refuseReserved(name, path, report);
      continue;
    }
    report.doubt({
      rule: "field-unknown",
      path: `${path}${formatPointer([name])}`,
      message: `\`${name}\` is not a known field`,
      mend: mendUnknown(name, Object.keys(fields)),
    });
  }
}

function mendUnknown(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  const meant = nearest === undefined ? "" : `write \`${nearest}\`, or `;
  return `${meant}remove it or move it into \`metadata\`; known here: ${known.join(", ")}`;
}

function checkField(value: unknown, type: FieldType, path: string, report: Report): void {
  const { accepts, wanted: form } = FIELD_TYPES[type];
  if (!accepts(value)) {
    // The form of a text is no help for a value of another type.
    const isOther = (type === "text" || type === "name") && typeof value !== "string";
    const wanted = isOther ? "a string" : form;
    report.refuse({
      rule: "field-type",
      path,
      message: `${path.slice(1)} must be ${wanted}${isOther ? `, and is ${nameKind(value)}` : ""}`,
      mend: `write ${wanted}`,
    });
    return;
  }
  if (
    ((type === "text" || type === "name") && value === "") ||
    ((type === "objects" || type === "texts") && (value as unknown[]).length === 0)
  ) {
    report.refuse({
      rule: "field-empty",
      path,
      message: `${path.slice(1)} is empty`,
      mend: "give it a value",
    });
  }
  for (const name of listNames(value, type)) {
    if (isReservedName(name)) refuseReserved(name, path, report);
  }
}

/** Names the JSON type of a value. */
function nameKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function refuseReserved(name: string, path: string, report: Report): void {
  report.refuse({
    rule: "name-reserved",
    path,
    message: `\`${name}\` is a reserved name`,
    mend: "choose another name",
  });
}

export function checkVersion(version: unknown, path: string, report: Report): void {
  if (typeof version !== "string" || version === "" || parseSemver(version) !== undefined) return;
  report.refuse({
    rule: "version-semver",
    path,
    message: `${version} is not a semantic version`,
    mend: "write it as 1.0.0",
  });
}

export interface Report {
  readonly problems: Problem[];
  readonly warnings: Problem[];
  refuse(problem: Problem): void;
  /** A problem in strict mode, a warning in lenient mode. */
  doubt(problem: Problem): void;
}

export function createReport(mode: ParseMode): Report {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  return {
    problems,
    warnings,
    refuse: (problem) => problems.push(problem),
    doubt: (problem) => (mode === "strict" ? problems : warnings).push(problem),
  };
}
