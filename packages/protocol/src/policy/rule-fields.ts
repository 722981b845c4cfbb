/** The form of each field of a rule. */

import { isPlainText } from "../plain-text.ts";
import { isCountWithin, isOneOf } from "../shape.ts";
import { isToolReference } from "../tool-reference.ts";
import {
  APPROVAL_WITHIN_MS_MAX,
  APPROVERS_MAX,
  CONDITION_LENGTH_MAX,
  DECISION_KINDS,
  EXCLUSIONS,
  PLAN_WORTHS,
  POLICY_NAME_LENGTH_MAX,
  REJECTIONS,
  RULE_FILE_LENGTH_MAX,
  RULE_ID_LENGTH_MAX,
  RULE_REASON_LENGTH_MAX,
  RULE_TOOLS_MAX,
  type Rule,
} from "./policy.ts";
import { mayBeStandingTerms } from "./standing-terms.ts";

type RuleField =
  | { readonly type: "text"; readonly max: number }
  | { readonly type: "id" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  | { readonly type: "choices"; readonly of: readonly string[] }
  | { readonly type: "count"; readonly max: number }
  | { readonly type: "standing" }
  | { readonly type: "tools" };

export const RULE_FIELDS: Readonly<Record<keyof Rule, RuleField>> = {
  id: { type: "id" },
  decision: { type: "choice", of: DECISION_KINDS },
  tools: { type: "tools" },
  when: { type: "text", max: CONDITION_LENGTH_MAX },
  role: { type: "text", max: POLICY_NAME_LENGTH_MAX },
  approvers: { type: "count", max: APPROVERS_MAX },
  exclude: { type: "choices", of: EXCLUSIONS },
  decideWithinMs: { type: "count", max: APPROVAL_WITHIN_MS_MAX },
  useWithinMs: { type: "count", max: APPROVAL_WITHIN_MS_MAX },
  onReject: { type: "choice", of: REJECTIONS },
  plan: { type: "choice", of: PLAN_WORTHS },
  mayStand: { type: "standing" },
  reason: { type: "text", max: RULE_REASON_LENGTH_MAX },
  file: { type: "text", max: RULE_FILE_LENGTH_MAX },
  line: { type: "count", max: Number.MAX_SAFE_INTEGER },
};

/** The fields that only a rule that asks can have. */
export const ASK_FIELDS = [
  "role",
  "approvers",
  "exclude",
  "decideWithinMs",
  "useWithinMs",
  "onReject",
  "plan",
  "mayStand",
] as const;

export interface FieldFault {
  readonly rule: "field-empty" | "field-type";
  readonly wanted: string;
  /** The rest of the pointer, where a part of the value is at fault. */
  readonly below?: string;
}

/** Returns the fault of a field's value, or undefined if there is none. */
export function findFault(value: unknown, field: RuleField): FieldFault | undefined {
  switch (field.type) {
    case "text":
      return findTextFault(value, field.max);
    case "id":
      if (typeof value === "string" && value.length <= RULE_ID_LENGTH_MAX && isId.test(value))
        return;
      return wrong(`letters, digits, \`.\`, \`_\` and \`-\`, at most ${RULE_ID_LENGTH_MAX}`);
    case "choice":
      if (isOneOf(field.of)(value)) return;
      return wrong(`one of ${field.of.join(", ")}`);
    case "choices":
      return findChoicesFault(value, field.of);
    case "count":
      if (isCountWithin({ least: 1, most: field.max })(value)) return;
      return wrong(`a whole number from 1 to ${field.max}`);
    case "standing":
      if (mayBeStandingTerms(value)) return;
      return wrong(
        "`uses` and `withinMs`, such as 10 and 3600000, and `amounts` by unit if wanted",
      );
    case "tools":
      return findToolsFault(value);
  }
}

function findTextFault(value: unknown, max: number): FieldFault | undefined {
  const wanted = `a text of at most ${max} characters`;
  if (value === "") return { rule: "field-empty", wanted };
  return isPlainText(value, max) ? undefined : wrong(wanted);
}

function findChoicesFault(value: unknown, of: readonly string[]): FieldFault | undefined {
  const wanted = `a list of ${of.join(", ")}, each at most once, or leave it out`;
  if (!Array.isArray(value)) return wrong(wanted);
  if (value.length === 0) return { rule: "field-empty", wanted };
  const isList = new Set(value).size === value.length && value.every((one) => of.includes(one));
  return isList ? undefined : wrong(wanted);
}

const isId = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function findToolsFault(value: unknown): FieldFault | undefined {
  const wanted = `a list of at most ${RULE_TOOLS_MAX} tools, or leave it out for every tool`;
  if (!Array.isArray(value) || value.length > RULE_TOOLS_MAX) return wrong(wanted);
  if (value.length === 0) return { rule: "field-empty", wanted };
  const index = value.findIndex((tool) => !isToolName(tool));
  if (index === -1) return undefined;
  return { ...wrong(describeTool(value[index])), below: `/${index}` };
}

function describeTool(tool: unknown): string {
  const meant = readModelName(tool);
  if (meant === undefined) return "tools as `local.pay`, or as `mcp.*` for all below";
  return `\`${meant}\`: only a model sees \`__\` for the dot`;
}

/** Models see `local.pay` as `local__pay`, and people copy that. */
function readModelName(tool: unknown): string | undefined {
  if (typeof tool !== "string") return undefined;
  const name = tool.replaceAll("__", ".");
  return name !== tool && isToolName(name) ? name : undefined;
}

// A namespace is what a reference has before its last name.
function isToolName(tool: unknown): boolean {
  return typeof tool === "string" && isToolReference(tool.replace(/\.\*$/, ".any"));
}

function wrong(wanted: string): FieldFault {
  return { rule: "field-type", wanted };
}
