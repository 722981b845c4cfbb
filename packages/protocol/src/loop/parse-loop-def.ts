/**
 * Reads a loop document by the rules that need nothing but the document: fields, types, bodies,
 * version.
 *
 * 1. Every problem is reported, not only the first; nothing is thrown for a bad document.
 * 2. `strict` refuses a field it does not know; `lenient` keeps it and warns. `metadata` is never
 *    looked into.
 * 3. The document is not changed: the loop is the document itself, so its digest is that of what
 *    was written.
 */
import { isPlainObject } from "../canonical-json.ts";
import { describeMismatch, type FieldType, listNames } from "./field-type.ts";
import { LOOP_KINDS, type LoopDef, type LoopKind } from "./loop-def.ts";
import type { Problem } from "./problem.ts";
import { isReservedName } from "./reserved-names.ts";
import { parseSemver } from "./semver.ts";

export type ParseMode = "strict" | "lenient";

export type ParsedLoop =
  | { readonly kind: "parsed"; readonly loop: LoopDef; readonly warnings: readonly Problem[] }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

interface FieldRule {
  readonly type: FieldType;
  readonly required?: true;
}

const loopFields: Record<keyof LoopDef, FieldRule> = {
  id: { type: "text", required: true },
  name: { type: "text", required: true },
  description: { type: "string" },
  version: { type: "text", required: true },
  inputSchema: { type: "schema", required: true },
  outputSchema: { type: "schema", required: true },
  kind: { type: "string", required: true },
  prompt: { type: "object" },
  composite: { type: "object" },
  tool: { type: "object" },
  backend: { type: "object" },
  policy: { type: "object" },
  metadata: { type: "object" },
};
const promptFields: Record<string, FieldRule> = {
  template: { type: "text", required: true },
  variables: { type: "strings", required: true },
  systemPrompt: { type: "string" },
  maxTokens: { type: "count" },
  temperature: { type: "number" },
  tools: { type: "objects" },
  maxRounds: { type: "count" },
};
const referenceFields: Record<string, FieldRule> = {
  loopId: { type: "text", required: true },
  loopVersion: { type: "text" },
};
const compositeFields: Record<string, FieldRule> = {
  steps: { type: "objects", required: true },
  outputMapping: { type: "mapping" },
};
const stepFields: Record<string, FieldRule> = {
  loopId: { type: "text", required: true },
  loopVersion: { type: "text" },
  inputMapping: { type: "mapping", required: true },
  outputBinding: { type: "name" },
  grantMapping: { type: "mapping" },
};
const toolFields: Record<string, FieldRule> = {
  implementation: { type: "text", required: true },
  config: { type: "object" },
};
const backendFields: Record<string, FieldRule> = {
  id: { type: "text", required: true },
  model: { type: "text" },
};
const policyFields: Record<string, FieldRule> = { timeoutMs: { type: "count" } };

/** Reads a loop document. The loop in the answer is the document itself. */
export function parseLoopDef(document: unknown, mode: ParseMode = "strict"): ParsedLoop {
  const report = createReport(mode);
  if (!isPlainObject(document)) {
    report.refuse({
      rule: "document-object",
      path: "",
      message: "a loop is a JSON object",
      mend: "write one object per loop",
    });
    return { kind: "refused", problems: report.problems };
  }
  checkFields(document, loopFields, "", report);
  checkVersion(document["version"], "/version", report);
  checkBodies(document, report);
  if (report.problems.length > 0) return { kind: "refused", problems: report.problems };
  return {
    kind: "parsed",
    loop: document as unknown as LoopDef,
    warnings: report.warnings,
  };
}

function checkBodies(document: Record<string, unknown>, report: Report): void {
  const kind = document["kind"];
  if (typeof kind === "string" && !isLoopKind(kind)) {
    report.refuse({
      rule: "kind-unknown",
      path: "/kind",
      message: `loop ${nameOf(document)} is of kind \`${kind}\``,
      mend: `write one of ${LOOP_KINDS.join(", ")}`,
    });
  }
  if (isLoopKind(kind)) {
    if (document[kind] === undefined) {
      report.refuse({
        rule: "body-missing",
        path: "",
        message: `loop ${nameOf(document)} is of kind ${kind} and has no \`${kind}\``,
        mend: `add the field \`${kind}\`, or change \`kind\``,
      });
    }
    for (const other of LOOP_KINDS) {
      if (other === kind || document[other] === undefined) continue;
      report.doubt({
        rule: "body-extra",
        path: `/${other}`,
        message: `a loop of kind ${kind} has no \`${other}\``,
        mend: `remove \`${other}\`, or change \`kind\``,
      });
    }
  }
  checkPrompt(document["prompt"], report);
  checkComposite(document["composite"], report);
  checkObject(document["tool"], toolFields, "/tool", report);
  checkObject(document["backend"], backendFields, "/backend", report);
  checkObject(document["policy"], policyFields, "/policy", report);
}

function checkPrompt(prompt: unknown, report: Report): void {
  if (!isPlainObject(prompt)) return;
  checkFields(prompt, promptFields, "/prompt", report);
  checkReferences(prompt["tools"], { path: "/prompt/tools", fields: referenceFields }, report);
}

function checkComposite(composite: unknown, report: Report): void {
  if (!isPlainObject(composite)) return;
  checkFields(composite, compositeFields, "/composite", report);
  checkReferences(composite["steps"], { path: "/composite/steps", fields: stepFields }, report);
}

/** Lists whose items name another loop: the steps of a composite, the tools of a prompt. */
function checkReferences(
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

function checkObject(
  value: unknown,
  fields: Record<string, FieldRule>,
  path: string,
  report: Report,
): void {
  // A value that is not an object was reported by the field that holds it.
  if (isPlainObject(value)) checkFields(value, fields, path, report);
}

function checkFields(
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
    const known = Object.keys(fields).join(", ");
    report.doubt({
      rule: "field-unknown",
      path: `${path}/${pointer(name)}`,
      message: `\`${name}\` is not a known field`,
      mend: `remove it or move it into \`metadata\`; known here: ${known}`,
    });
  }
}

function checkField(value: unknown, type: FieldType, path: string, report: Report): void {
  const expected = describeMismatch(value, type);
  if (expected !== undefined) {
    report.refuse({
      rule: "field-type",
      path,
      message: `${path.slice(1)} must be ${expected}`,
      mend: `write ${expected}`,
    });
    return;
  }
  if (
    ((type === "text" || type === "name") && value === "") ||
    (type === "objects" && (value as unknown[]).length === 0)
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

function refuseReserved(name: string, path: string, report: Report): void {
  report.refuse({
    rule: "name-reserved",
    path,
    message: `\`${name}\` is a reserved name`,
    mend: "choose another name",
  });
}

function isLoopKind(value: unknown): value is LoopKind {
  return (LOOP_KINDS as readonly unknown[]).includes(value);
}

function checkVersion(version: unknown, path: string, report: Report): void {
  if (typeof version !== "string" || version === "" || parseSemver(version) !== undefined) return;
  report.refuse({
    rule: "version-semver",
    path,
    message: `${version} is not a semantic version`,
    mend: "write it as 1.0.0",
  });
}

function nameOf(document: Record<string, unknown>): string {
  return typeof document["id"] === "string" ? document["id"] : "without an id";
}

function pointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

interface Report {
  readonly problems: Problem[];
  readonly warnings: Problem[];
  refuse(problem: Problem): void;
  /** A problem in strict mode, a warning in lenient mode. */
  doubt(problem: Problem): void;
}

function createReport(mode: ParseMode): Report {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  return {
    problems,
    warnings,
    refuse: (problem) => problems.push(problem),
    doubt: (problem) => (mode === "strict" ? problems : warnings).push(problem),
  };
}
