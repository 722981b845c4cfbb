import { isPlainObject } from "../canonical-json.ts";
import type { ContextSpec } from "../loop/context-spec.ts";
import type { JsonSchema } from "../loop/json-schema.ts";
import type { BackendRef, OfferedTool, PromptSpec } from "../loop/loop-def.ts";
import type { LoopReference } from "../loop/loop-reference.ts";
import type { ModelSettings } from "../loop/model-settings.ts";
import type { NoteSpec, ScopeMode } from "../loop/note-spec.ts";
import { listVariables } from "../loop/template.ts";

import { refinementsOf, type SchemaSource, toJsonSchema } from "./json-schema-source.ts";
import { headerFields, type Loop, type LoopHeader } from "./loop.ts";

type Blank = " " | "\t";
type Trim<Text extends string> = Text extends `${Blank}${infer Rest}` | `${infer Rest}${Blank}`
  ? Trim<Rest>
  : Text;

/** The names between braces in a template. */
type VariablesOf<Template extends string> =
  Template extends `${string}{{${infer Name}}}${infer Rest}`
    ? Trim<Name> | VariablesOf<Rest>
    : never;

/**
 * The template itself, or a message that does not compile when it names what the input does not
 * have.
 */
type CheckedTemplate<Template extends string, Input> = [VariablesOf<Template>] extends [keyof Input]
  ? Template
  : `the input has no field ${Exclude<VariablesOf<Template>, keyof Input>}`;

export type PromptTool =
  | Loop<never, unknown>
  | { readonly loop: Loop<never, unknown>; readonly independent: boolean };

/**
 * One interface, so that a mistake is named where it was made: of an intersection, the compiler
 * says only that nothing fits.
 */
export interface PromptInput<Input, Output, Template extends string = string>
  extends LoopHeader,
    Omit<ModelSettings, "toolChoice"> {
  readonly input: SchemaSource<Input>;
  readonly output: SchemaSource<Output>;
  readonly template: CheckedTemplate<Template, Input>;
  readonly system?: string;
  readonly backend?: BackendRef;
  /** Loops that the model may ask for; with `independent`, also at the same time as others. */
  readonly tools?: readonly PromptTool[];
  /**
   * Whether the model may ask for tools, must, or must ask for this one; what it must holds for the
   * first request of a call.
   */
  readonly toolChoice?: Extract<ModelSettings["toolChoice"], string> | Loop<never, unknown>;
  /** Model requests that one call may make. */
  readonly maxRounds?: number;
  /** How often the prompt asks again after an output that the schema refuses. */
  readonly outputRepairs?: number;
  /** The name of signals that reach the prompt while it is at work: its next request shows them. */
  readonly feedback?: string;
  /**
   * Whether the prompt sees its earlier messages in the run, or the name of a thread that several
   * prompts share. The root prompt of a run does, unless this is false; others do not.
   */
  readonly thread?: boolean | string;
  /** The part of its thread that the prompt sees; as much as fits if absent. */
  readonly context?: ContextSpec;
  /**
   * JSON Pointers to the files in the input, or lists of files, that the model is shown with the
   * prompt, such as `/photo`.
   */
  readonly files?: readonly string[];
  /** Notes that each call begins with, for `noteTaker` to go on with. */
  readonly notes?: readonly NoteSpec[];
  /** How its notes stand to those of its caller: apart, the same, or below them. */
  readonly scope?: ScopeMode;
}

/**
 * Defines a loop whose body is a prompt to a model.
 *
 * @example
 * const summarize = definePrompt({
 *   id: "summarize",
 *   version: "1.0.0",
 *   input: z.object({ text: z.string() }),
 *   output: z.object({ text: z.string() }),
 *   template: "Summarize in one sentence: {{text}}",
 *   backend: { id: "openai", model: "gpt-5-mini" },
 * });
 */
export function definePrompt<Input, Output, const Template extends string>(
  prompt: PromptInput<Input, Output, Template>,
): Loop<Input, Output> {
  const inputSchema = toJsonSchema(prompt.input, `the input of prompt ${prompt.id}`);
  return {
    definition: {
      ...headerFields(prompt),
      inputSchema,
      outputSchema: toJsonSchema(prompt.output, `the output of prompt ${prompt.id}`),
      kind: "prompt",
      prompt: { ...promptSpec(prompt), variables: listKnown(prompt.template, inputSchema) },
      ...(prompt.backend === undefined ? {} : { backend: prompt.backend }),
    },
    ...refinementsOf(prompt),
    ...(prompt.tools === undefined ? {} : { uses: prompt.tools.map(loopOf) }),
  };
}

function loopOf(tool: PromptTool): Loop<never, unknown> {
  const loop = "loop" in tool ? tool.loop : tool;
  // JavaScript, and a tool of another library, pass the compiler.
  if ((loop as Partial<typeof loop>).definition === undefined)
    throw new TypeError(
      "a tool of a prompt is a loop: `defineTool` makes one, and `.toLoop()` of a `loopsTool`",
    );
  return loop;
}

function promptSpec(
  prompt: Omit<PromptInput<never, never>, "input" | "output" | "template"> & {
    readonly template: string;
  },
): Omit<PromptSpec, "variables"> {
  const { template, system, tools, toolChoice, maxRounds, outputRepairs, feedback } = prompt;
  const { thread, context, files, notes, scope } = prompt;
  return {
    template,
    ...(system === undefined ? {} : { systemPrompt: system }),
    ...pickSettings(prompt),
    ...(tools === undefined ? {} : { tools: tools.map(toOffered) }),
    ...(toolChoice === undefined ? {} : { toolChoice: toChoice(toolChoice) }),
    ...(maxRounds === undefined ? {} : { maxRounds }),
    ...(outputRepairs === undefined ? {} : { outputRepairs }),
    ...(feedback === undefined ? {} : { feedback }),
    ...(thread === undefined ? {} : { thread }),
    ...(context === undefined ? {} : { context }),
    ...(files === undefined ? {} : { files: [...files] }),
    ...(notes === undefined ? {} : { notes }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/**
 * The variables of a template that its input may have: any other is a slip, which `check` names.
 */
function listKnown(template: string, schema: JsonSchema): string[] {
  const fields = listFields(schema);
  const names = listVariables(template);
  return fields === undefined ? names : names.filter((name) => fields.includes(name));
}

const OPEN_WORDS = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "patternProperties"];

/** The fields of an object; undefined where the schema may allow others. */
function listFields(schema: JsonSchema): readonly string[] | undefined {
  if (typeof schema === "boolean" || schema["type"] !== "object") return undefined;
  const { properties, additionalProperties = false } = schema;
  const isOpen = additionalProperties !== false || OPEN_WORDS.some((word) => word in schema);
  return isOpen || !isPlainObject(properties) ? undefined : Object.keys(properties);
}

/** The settings that a document has as they are written in code. */
function pickSettings(given: Omit<ModelSettings, "toolChoice">): ModelSettings {
  const { maxTokens, temperature, topP, stop, seed, reasoning, providerOptions } = given;
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stop === undefined ? {} : { stop }),
    ...(seed === undefined ? {} : { seed }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
}

function toOffered(tool: PromptTool): OfferedTool {
  const reference = toReference(loopOf(tool));
  return "loop" in tool ? { ...reference, independent: tool.independent } : reference;
}

function toChoice(
  choice: NonNullable<PromptInput<never, never>["toolChoice"]>,
): NonNullable<ModelSettings["toolChoice"]> {
  return typeof choice === "string" ? choice : toReference(choice);
}

function toReference({ definition }: Loop<never, unknown>): LoopReference {
  return { loopId: definition.id, loopVersion: definition.version };
}
