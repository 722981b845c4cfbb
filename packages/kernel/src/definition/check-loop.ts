/**
 * Checks a definition whole, once, at registration: afterwards a call only executes what is known
 * to be sound.
 *
 * References to other loops are left to the registry: a definition does not know what it will be
 * registered beside.
 */
import {
  type CompositeSpec,
  type Digest,
  digestOf,
  type LoopDef,
  listVariables,
  type ParseMode,
  type Problem,
  type PromptSpec,
  parseLoopDef,
  type Refinement,
  type Refinements,
  type StepsSpec,
} from "@turnseal/protocol";

import { EXPRESSIONS_MAX, STEPS_MAX, TEMPLATE_BYTES_MAX } from "../limits.ts";
import { checkCache } from "./check-cache.ts";
import { checkContext } from "./check-context.ts";
import { checkGrantFields } from "./check-grant-fields.ts";
import { checkLoopPolicy } from "./check-loop-policy.ts";
import { checkPromptSettings } from "./check-prompt-settings.ts";
import { checkPromptTools } from "./check-prompt-tools.ts";
import { checkQuestion } from "./check-question.ts";
import { checkSchema } from "./check-schema.ts";
import { type CheckedMapping, checkMapping, readsRecord } from "./checked-mapping.ts";
import { copyDocument } from "./copy-document.ts";
import { checkFlow } from "./flow/check-flow.ts";
import type { CheckedNode } from "./flow/checked-node.ts";
import { createReport, type Report } from "./report.ts";
import { utf8Length } from "./utf8-length.ts";
import { createValidation, type Validate } from "./validation.ts";

/** A definition that may run. */
export interface CheckedLoop {
  readonly definition: LoopDef;
  readonly digest: Digest;
  readonly validateInput: Validate;
  readonly validateOutput: Validate;
  /** The refinements bound to it beside its document: all of them hold. The list only grows. */
  readonly refinedBy: Refinements[];
  /** For a composite: its steps with their mappings parsed. */
  readonly steps: readonly CheckedStep[];
  /** For a composite that has one: its flow. */
  readonly flow: CheckedNode | undefined;
  readonly outputMapping: CheckedMapping | undefined;
  /** True when a mapping reads more of a step than its output and its names. */
  readonly readsRecord: boolean;
}

export interface CheckedStep {
  readonly loopId: string;
  readonly loopVersion: string | undefined;
  readonly binding: string | undefined;
  readonly mapping: CheckedMapping;
  /** The narrower grant of the step, if it has one. */
  readonly grantMapping: CheckedMapping | undefined;
}

export type CheckedDefinition =
  | { readonly kind: "checked"; readonly loop: CheckedLoop; readonly warnings: readonly Problem[] }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Checks a document by every rule that needs nothing but the document. */
export function checkLoop(document: unknown, mode: ParseMode): CheckedDefinition {
  const report = createReport();
  const own = copyDocument(document, report);
  if (own === undefined) return { kind: "refused", problems: report.problems };
  const parsed = parseLoopDef(own, mode);
  // With all field types right, the other rules can run too: all problems come at once.
  if (parsed.kind === "refused" && !parsed.problems.every(leavesTypes)) return parsed;

  const loop = parsed.kind === "parsed" ? parsed.loop : (own as LoopDef);
  checkSchema(loop.inputSchema, "/inputSchema", report);
  checkSchema(loop.outputSchema, "/outputSchema", report);
  checkLoopPolicy(loop, report);
  checkCache(loop, report);
  if (loop.prompt !== undefined) {
    checkPrompt(loop.prompt, report);
    checkPromptTools(loop.prompt, report);
    checkPromptSettings(loop.prompt, report);
    checkContext(loop.prompt, report);
  }
  checkQuestion(loop, report);
  if (loop.kind === "prompt") checkBackend(loop, report);
  const composite = checkComposite(loop.composite, report);

  const found = parsed.kind === "refused" ? parsed.problems : [];
  const problems = [...found, ...report.problems];
  if (parsed.kind === "refused" || problems.length > 0) return { kind: "refused", problems };
  const refinedBy: Refinements[] = [];
  // Asked twice in every call, and most loops have none.
  const listRefinements = (side: keyof Refinements): readonly Refinement[] =>
    refinedBy.length === 0 ? NONE : refinedBy.flatMap(({ [side]: refinement }) => refinement ?? []);
  return {
    kind: "checked",
    warnings: [...parsed.warnings, ...report.warnings],
    loop: {
      definition: loop,
      digest: digestOf(loop),
      validateInput: createValidation(loop.inputSchema, () => listRefinements("input")),
      validateOutput: createValidation(loop.outputSchema, () => listRefinements("output")),
      refinedBy,
      ...composite,
    },
  };
}

const NONE: readonly Refinement[] = [];

/** True for what is wrong about a document whose fields have their types all the same. */
function leavesTypes({ rule }: Problem): boolean {
  return rule === "field-unknown" || rule === "version-semver";
}

function checkBackend(loop: LoopDef, report: Report): void {
  if (loop.policy?.routes !== undefined) return;
  if (loop.backend !== undefined && loop.backend.id !== "mock") return;
  report.warn({
    rule: "backend-scripted",
    path: "/backend",
    message:
      loop.backend === undefined
        ? "no backend is named: the scripted model answers"
        : "the scripted model answers, unless another is bound to mock",
    mend: 'name one, such as { "id": "openai", "model": "..." }',
  });
}

function checkPrompt(prompt: PromptSpec, report: Report): void {
  const texts = { template: prompt.template, systemPrompt: prompt.systemPrompt ?? "" };
  for (const [field, text] of Object.entries(texts)) {
    if (utf8Length(text) <= TEMPLATE_BYTES_MAX) continue;
    report.refuse({
      rule: "template-size",
      path: `/prompt/${field}`,
      message: `${field} is larger than ${TEMPLATE_BYTES_MAX} bytes`,
      mend: "pass long text as input",
    });
  }
  const declared = new Set(prompt.variables);
  for (const name of listVariables(prompt.template)) {
    if (declared.has(name)) continue;
    report.refuse({
      rule: "template-variable",
      path: "/prompt/template",
      message: `\`{{${name}}}\` is not declared`,
      mend: `name a field of the input, or add "${name}" to prompt.variables`,
    });
  }
}

function checkComposite(
  composite: CompositeSpec | undefined,
  report: Report,
): Pick<CheckedLoop, "steps" | "flow" | "outputMapping" | "readsRecord"> {
  const none = { steps: [], flow: undefined, outputMapping: undefined, readsRecord: false };
  if (composite === undefined) return none;
  if (composite.flow !== undefined) return { ...none, ...checkFlow(composite, report) };
  if (composite.steps.length > STEPS_MAX) {
    report.refuse({
      rule: "steps-limit",
      path: "/composite/steps",
      message: `more than ${STEPS_MAX} steps`,
      mend: "move steps into a composite of their own",
    });
    return none;
  }
  if (countExpressions(composite) > EXPRESSIONS_MAX) {
    report.refuse({
      rule: "mapping-expression",
      path: "/composite",
      message: `more than ${EXPRESSIONS_MAX} expressions`,
      mend: "move steps into a composite of their own",
    });
    return none;
  }
  const bindings = new Set<string>();
  const steps = composite.steps.map((step, index): CheckedStep => {
    const path = `/composite/steps/${index}`;
    const position = { path: `${path}/inputMapping`, bindings, stepsBefore: index };
    const mapping = checkMapping(step.inputMapping, position, report);
    const grantMapping =
      step.grantMapping === undefined
        ? undefined
        : checkMapping(step.grantMapping, { ...position, path: `${path}/grantMapping` }, report);
    checkGrantFields(step.grantMapping ?? {}, `${path}/grantMapping`, report);
    checkBinding(step.outputBinding, bindings, `${path}/outputBinding`, report);
    return {
      loopId: step.loopId,
      loopVersion: step.loopVersion,
      binding: step.outputBinding,
      mapping,
      grantMapping,
    };
  });
  const position = { path: "/composite/outputMapping", bindings, stepsBefore: steps.length };
  const outputMapping =
    composite.outputMapping === undefined
      ? undefined
      : checkMapping(composite.outputMapping, position, report);
  const mappings = [
    ...steps.flatMap(({ mapping, grantMapping = [] }) => [mapping, grantMapping]),
    outputMapping ?? [],
  ];
  return { steps, flow: undefined, outputMapping, readsRecord: mappings.some(readsRecord) };
}

// Counted before the first is compiled: a document has room for far more than can be read at once.
function countExpressions({ steps, outputMapping = {} }: StepsSpec): number {
  const mappings = steps.flatMap(({ inputMapping, grantMapping = {} }) => [
    inputMapping,
    grantMapping,
  ]);
  return [...mappings, outputMapping]
    .flatMap((mapping) => Object.values(mapping))
    .filter((source) => typeof source !== "string" && "cel" in source).length;
}

function checkBinding(
  binding: string | undefined,
  bindings: Set<string>,
  path: string,
  report: Report,
): void {
  if (binding === undefined) return;
  if (binding === "input" || binding === "steps") {
    report.refuse({
      rule: "binding-name",
      path,
      message: `a binding may not be called \`${binding}\``,
      mend: "choose another name",
    });
  }
  if (bindings.has(binding)) {
    report.refuse({
      rule: "binding-repeated",
      path,
      message: `\`${binding}\` is the binding of an earlier step`,
      mend: "choose another name",
    });
  }
  bindings.add(binding);
}
