/** The prompts that a workflow brings along. */
import type { JsonSchema, LoopDef, Mapping, MappingSource, PromptSpec } from "@turnseal/protocol";
import { addProblem, type Compiling, type Sight, type Sources } from "./compiling.ts";
import { FILE_PREFIX } from "./list-file-names.ts";
import { backendOf } from "./strategies.ts";
import { findVariable, listTextVariables, renameVariables, toName } from "./variables.ts";
import type { LlmTable } from "./workflow-document.ts";

interface Place {
  readonly compiling: Compiling;
  readonly path: string;
}

/** The model of a scope; undefined, with a problem, if models are not allowed. */
export function findLlm(sight: Sight, { compiling, path }: Place): LlmTable | undefined {
  const { llm } = sight.strategies;
  if (llm !== false && llm !== undefined) return llm;
  return addProblem(compiling, {
    rule: "field-missing",
    path,
    message: llm === false ? 'a prompt needs a model, and llm is "none"' : "a prompt needs a model",
    mend: "add [workflow.llm] with a provider",
  });
}

/** How often a decision that does not fit its schema is asked for again. */
const OUTPUT_REPAIRS = 1;

/** The output of a prompt without a schema. */
export const TEXT_OUTPUT: JsonSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
};

interface PromptRequest {
  /** Its name within the workflow. */
  readonly name: string;
  /** The question to the model, with variables. */
  readonly text: string;
  readonly outputSchema: JsonSchema;
  /** Fields of the input that the text does not name, and how they are shown after it. */
  readonly more?: Sources;
  readonly shown?: string;
  /** How a conversation goes on over several calls. */
  readonly context?: Pick<PromptSpec, "thread" | "context" | "notesFrom">;
}

export interface CompiledPrompt {
  readonly loopId: string;
  readonly inputMapping: Mapping;
}

/** Adds a prompt to the workflow's loops, and says how it is called. */
export function addPrompt(
  { name, text, outputSchema, more = {}, shown = "", context = {} }: PromptRequest,
  sight: Sight,
  place: Place,
): CompiledPrompt | undefined {
  const llm = findLlm(sight, place);
  if (llm === undefined) return undefined;
  const mapping: Record<string, MappingSource> = { ...more };
  const fieldOf = new Map<string, string>();
  for (const variable of listTextVariables(text)) {
    const seen = findVariable(variable, sight, place);
    if (seen === undefined) return undefined;
    const source = seen.path ?? { cel: seen.cel };
    const field = chooseField(toField(variable), source, mapping);
    mapping[field] = source;
    fieldOf.set(variable, field);
  }
  const fields = Object.keys(mapping).sort();
  const asked = renameVariables(text, (variable) => `{{${fieldOf.get(variable)}}}`);
  const parts = { name, template: `${asked}${shown}`, fields, outputSchema, llm, context };
  const loop = describePrompt(parts, sight, place);
  place.compiling.origins.set(loop, place.path);
  place.compiling.loops.push(loop);
  return { loopId: loop.id, inputMapping: mapping };
}

/** Two variables may get the same name: the later one gets a number. */
function chooseField(
  wanted: string,
  source: MappingSource,
  taken: Readonly<Record<string, MappingSource>>,
): string {
  let field = wanted;
  for (let number = 2; isAnother(taken[field], source); number++) field = `${wanted}_${number}`;
  return field;
}

function isAnother(taken: MappingSource | undefined, source: MappingSource): boolean {
  return taken !== undefined && JSON.stringify(taken) !== JSON.stringify(source);
}

/** A name that both a template and a mapping take. */
function toField(variable: string): string {
  return toName(variable).replaceAll(".", "_");
}

interface PromptParts {
  readonly name: string;
  readonly template: string;
  readonly fields: readonly string[];
  readonly outputSchema: JsonSchema;
  readonly llm: LlmTable;
  readonly context: Pick<PromptSpec, "thread" | "context" | "notesFrom">;
}

function describePrompt(
  { template, fields, outputSchema, llm, context, ...parts }: PromptParts,
  { strategies: { cache }, scopes }: Sight,
  { compiling: { id, version, readText } }: Place,
): LoopDef {
  const { system_prompt } = llm;
  const name = [...scopes, parts.name].join(".");
  // A file that cannot be read was refused when it was looked for.
  const systemPrompt = system_prompt?.startsWith(FILE_PREFIX)
    ? (readText(system_prompt.slice(FILE_PREFIX.length)) ?? "")
    : system_prompt;
  return {
    ...{ id: `${id}.${name}`, name: `${id}: ${name}`, version, kind: "prompt" },
    inputSchema: describeInput(fields),
    outputSchema,
    prompt: {
      template,
      variables: fields,
      ...(outputSchema === TEXT_OUTPUT ? {} : { outputRepairs: OUTPUT_REPAIRS }),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...context,
    },
    ...backendOf(llm),
    // The result of a conversation depends on earlier messages, so it is not cached.
    ...(cache === undefined || context.thread !== undefined ? {} : { policy: { cache } }),
  };
}

/** Any value may stand in a field: what is skipped is left out. */
export function describeInput(fields: readonly string[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field, true])),
    additionalProperties: false,
  };
}
