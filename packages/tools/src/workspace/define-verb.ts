/** A tool as a verb of workflows: its input is a target and arguments, all of them texts. */
import type { JsonSchema } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";

/** What an action of a workflow gives (workflow.md §2.3). */
export interface VerbInput {
  readonly target?: string;
  readonly args: readonly string[];
}

interface Verb<Input, Output, Shown> {
  readonly id: string;
  /** For the model: what the target and the arguments are. */
  readonly description: string;
  readonly needsTarget?: boolean;
  /** How many arguments there may be. */
  readonly args: readonly [least: number, most: number];
  toInput(input: VerbInput): Input;
  /** The field of an output that tells a failure, for the condition `has_errors`. */
  readonly shows?: { readonly schema: JsonSchema; show(output: Output): Shown };
}

/** Defines a verb that does what the tool does: with the same effect, under the same terms. */
export function defineVerb<Input, Output, Shown = Output>(
  tool: Loop<Input, Output>,
  { id, description, needsTarget = true, args, toInput, shows }: Verb<Input, Output, Shown>,
): Loop<VerbInput, Output | Shown> {
  const { definition, declared, needs, run } = tool;
  const { policy, outputSchema, tool: body } = definition;
  if (run === undefined || body === undefined) throw new TypeError(`${definition.id} is no tool`);
  const [minItems, maxItems] = args;
  return defineTool<VerbInput, Output | Shown>({
    ...declared,
    ...{ id, version: "1.0.0", description, implementation: body.implementation },
    build: `turnseal.tools:verb.${id}:1`,
    ...(policy === undefined ? {} : { policy }),
    ...(body.config === undefined ? {} : { config: body.config }),
    input: jsonSchema<VerbInput>({
      type: "object",
      properties: {
        target: { type: "string" },
        args: { type: "array", items: { type: "string" }, minItems, maxItems },
      },
      required: needsTarget ? ["target", "args"] : ["args"],
      additionalProperties: false,
    }),
    output: jsonSchema<Output | Shown>((shows?.schema ?? outputSchema) as never),
    ...(needs === undefined ? {} : { needs: (input) => needs(toInput(input)) }),
    run: async (input, context) => {
      const output = await run(toInput(input), context);
      return shows === undefined ? output : shows.show(output);
    },
  });
}
