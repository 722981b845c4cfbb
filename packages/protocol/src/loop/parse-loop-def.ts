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
import {
  checkFields,
  checkObject,
  checkReferences,
  checkVersion,
  createReport,
  type FieldRule,
  type ParseMode,
  type Report,
  referenceFields,
} from "./check-fields.ts";
import { checkFlowShape } from "./check-flow-shape.ts";
import { checkNotes } from "./check-notes.ts";
import { checkSettings, settingFields } from "./check-settings.ts";
import { cacheFields } from "./flow-fields.ts";
import { LOOP_KINDS, type LoopDef, type LoopKind } from "./loop-def.ts";
import type { Problem } from "./problem.ts";

export type ParsedLoop =
  | { readonly kind: "parsed"; readonly loop: LoopDef; readonly warnings: readonly Problem[] }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

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
  ...settingFields,
  tools: { type: "objects" },
  maxRounds: { type: "count" },
  outputRepairs: { type: "count" },
  feedback: { type: "text" },
  thread: { type: "thread" },
  context: { type: "object" },
  files: { type: "pointers" },
  notes: { type: "objects" },
  notesFrom: { type: "noteFields" },
  scope: { type: "text" },
};
const offeredFields: Record<string, FieldRule> = {
  ...referenceFields,
  independent: { type: "boolean" },
};
const compositeFields: Record<string, FieldRule> = {
  steps: { type: "objects" },
  flow: { type: "object" },
  outputMapping: { type: "mapping" },
};
const stepFields: Record<string, FieldRule> = {
  ...referenceFields,
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
const policyFields: Record<string, FieldRule> = {
  timeoutMs: { type: "count" },
  firstPieceMs: { type: "count" },
  contextTokensMax: { type: "count" },
  refuseModelDrift: { type: "boolean" },
  routes: { type: "objects" },
  fallback: { type: "strings" },
  rateLimit: { type: "object" },
  inputFilters: { type: "objects" },
  outputFilters: { type: "objects" },
  cache: { type: "object" },
  reversible: { type: "boolean" },
  rollbackOn: { type: "causes" },
  goal: { type: "goal" },
};
const routeFields: Record<string, FieldRule> = { ...backendFields, when: { type: "object" } };
const conditionFields: Record<string, FieldRule> = {
  path: { type: "text", required: true },
  equals: { type: "value" },
  atLeast: { type: "number" },
};
const rateLimitFields: Record<string, FieldRule> = {
  name: { type: "text", required: true },
  perMinute: { type: "count" },
  inFlight: { type: "count" },
};

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
  checkPolicy(document["policy"], report);
}

function checkPolicy(policy: unknown, report: Report): void {
  if (!isPlainObject(policy)) return;
  checkFields(policy, policyFields, "/policy", report);
  const { routes, rateLimit, inputFilters, outputFilters, cache } = policy;
  checkReferences(routes, { path: "/policy/routes", fields: routeFields }, report);
  if (Array.isArray(routes)) {
    routes.forEach((route: unknown, index) => {
      const when = isPlainObject(route) ? route["when"] : undefined;
      checkObject(when, conditionFields, `/policy/routes/${index}/when`, report);
    });
  }
  checkObject(rateLimit, rateLimitFields, "/policy/rateLimit", report);
  checkObject(cache, cacheFields, "/policy/cache", report);
  const filters = { inputFilters, outputFilters };
  for (const [name, items] of Object.entries(filters))
    checkReferences(items, { path: `/policy/${name}`, fields: referenceFields }, report);
}

function checkPrompt(prompt: unknown, report: Report): void {
  if (!isPlainObject(prompt)) return;
  checkFields(prompt, promptFields, "/prompt", report);
  checkReferences(prompt["tools"], { path: "/prompt/tools", fields: offeredFields }, report);
  checkSettings(prompt, report);
  checkNotes(prompt, report);
}

function checkComposite(composite: unknown, report: Report): void {
  if (!isPlainObject(composite)) return;
  checkFields(composite, compositeFields, "/composite", report);
  const { steps, flow } = composite;
  if (steps === undefined && flow === undefined) {
    report.refuse({
      rule: "field-missing",
      path: "/composite",
      message: "`steps` is missing, and so is `flow`",
      mend: "add the field `steps` or the field `flow`",
    });
  }
  if (steps !== undefined && flow !== undefined) {
    report.refuse({
      rule: "field-type",
      path: "/composite",
      message: "composite has both `steps` and `flow`",
      mend: "remove one of them: a flow of kind sequence says what steps say",
    });
  }
  checkReferences(steps, { path: "/composite/steps", fields: stepFields }, report);
  checkFlowShape(flow, "/composite/flow", report);
}

function isLoopKind(value: unknown): value is LoopKind {
  return (LOOP_KINDS as readonly unknown[]).includes(value);
}

function nameOf(document: Record<string, unknown>): string {
  return typeof document["id"] === "string" ? document["id"] : "without an id";
}
