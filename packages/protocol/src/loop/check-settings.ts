/** Checks the shape of a prompt's settings (spec/loop.md §2.11). */
import { isPlainObject } from "../canonical-json.ts";
import { formatPointer } from "../pointer.ts";
import {
  checkFields,
  checkObject,
  checkVersion,
  type FieldRule,
  type Report,
  referenceFields,
  refuseReserved,
} from "./check-fields.ts";
import { STRATEGIES } from "./context-spec.ts";
import { REASONING_EFFORTS, TOOL_CHOICES } from "./model-settings.ts";
import { isReservedName } from "./reserved-names.ts";

export const settingFields: Record<string, FieldRule> = {
  maxTokens: { type: "count" },
  temperature: { type: "number" },
  topP: { type: "number" },
  stop: { type: "texts" },
  seed: { type: "whole" },
  toolChoice: { type: "value" },
  reasoning: { type: "object" },
  providerOptions: { type: "object" },
};
const reasoningFields: Record<string, FieldRule> = {
  effort: { type: "text" },
  budgetTokens: { type: "count" },
};
const contextFields: Record<string, FieldRule> = {
  strategy: { type: "text", required: true },
  last: { type: "count" },
  share: { type: "number" },
  summarizer: { type: "object" },
};

/** Checks what the fields of a prompt alone do not say. */
export function checkSettings(prompt: Record<string, unknown>, report: Report): void {
  checkToolChoice(prompt["toolChoice"], report);
  checkReasoning(prompt["reasoning"], report);
  checkProviderOptions(prompt["providerOptions"], report);
  checkContext(prompt["context"], report);
}

function checkContext(context: unknown, report: Report): void {
  if (!isPlainObject(context)) return;
  const path = "/prompt/context";
  checkFields(context, contextFields, path, report);
  const { strategy, summarizer } = context;
  checkObject(summarizer, referenceFields, `${path}/summarizer`, report);
  if (isPlainObject(summarizer))
    checkVersion(summarizer["loopVersion"], `${path}/summarizer/loopVersion`, report);
  if (typeof strategy === "string" && strategy !== "" && !isOneOf(STRATEGIES, strategy))
    refuseType(`${path}/strategy`, `one of ${STRATEGIES.join(", ")}`, report);
}

function checkToolChoice(choice: unknown, report: Report): void {
  const path = "/prompt/toolChoice";
  if (isPlainObject(choice)) {
    checkObject(choice, referenceFields, path, report);
    checkVersion(choice["loopVersion"], `${path}/loopVersion`, report);
  } else if (choice !== undefined && !isOneOf(TOOL_CHOICES, choice)) {
    refuseType(path, `one of ${TOOL_CHOICES.join(", ")}, or { loopId }`, report);
  }
}

function checkReasoning(reasoning: unknown, report: Report): void {
  if (!isPlainObject(reasoning)) return;
  const path = "/prompt/reasoning";
  checkFields(reasoning, reasoningFields, path, report);
  const { effort, budgetTokens } = reasoning;
  if ((effort === undefined) === (budgetTokens === undefined))
    refuseType(path, "{ effort } or { budgetTokens }", report);
  if (typeof effort === "string" && effort !== "" && !isOneOf(REASONING_EFFORTS, effort))
    refuseType(`${path}/effort`, `one of ${REASONING_EFFORTS.join(", ")}`, report);
}

function checkProviderOptions(options: unknown, report: Report): void {
  if (!isPlainObject(options)) return;
  for (const [provider, fields] of Object.entries(options)) {
    const path = `/prompt/providerOptions${formatPointer([provider])}`;
    if (!isPlainObject(fields)) refuseType(path, "an object", report);
    const names = isPlainObject(fields) ? [provider, ...Object.keys(fields)] : [provider];
    for (const name of names) if (isReservedName(name)) refuseReserved(name, path, report);
  }
}

function isOneOf(list: readonly string[], value: unknown): boolean {
  return (list as readonly unknown[]).includes(value);
}

function refuseType(path: string, expected: string, report: Report): void {
  report.refuse({
    rule: "field-type",
    path,
    message: `${path.slice(1)} must be ${expected}`,
    mend: `write ${expected}`,
  });
}
