/**
 * Composites in TypeScript. The mapping functions run once, when the loop is defined, over
 * references that record where a value will come from; what remains is the same document as one
 * written by hand.
 */
import { canonicalize } from "../canonical-json.ts";
import type { CompositeSpec, CompositeStep, Mapping, MappingSource } from "../loop/loop-def.ts";
import type { LoopResult } from "../loop-result.ts";
import { refinementsOf, type SchemaSource, toJsonSchema } from "./json-schema-source.ts";
import { headerFields, type Loop, type LoopHeader } from "./loop.ts";
import {
  createReference,
  type Placeholder,
  type Reference,
  readPlaceholder,
  type refersTo,
  toMappingSource,
} from "./reference.ts";

/**
 * Where each field of a loop's input comes from: a reference, or a value of the right type. Never
 * one reference for all.
 */
export type MappingTo<Input> = {
  readonly [Key in keyof Input]: Placeholder<Input[Key]> | Input[Key];
} & { readonly [refersTo]?: never };

/**
 * What is said of fields that cannot be meant: those that the loop does not take, and template
 * literals, which would be texts before anything is known. It is nothing else of a field.
 */
type Checked<Fields, Name extends PropertyKey = PropertyKey> = {
  readonly [Key in keyof Fields]: Key extends Name
    ? IsTemplate<Fields[Key]> extends true
      ? { "write text`...`: what a mapping refers to is not known yet": never }
      : unknown
    : { "the input has no such field": never };
};

/** True for the type of a template literal that holds more than constants. */
type IsTemplate<Text> = [Text] extends [string]
  ? string extends Text
    ? false
    : Record<never, never> extends Record<Text, never>
      ? true
      : false
  : false;

/** The fields of every alternative of a type. */
type FieldOf<Input> = Input extends unknown ? keyof Input : never;

/** References and constants by field, and not one reference for all. */
interface FieldSources {
  readonly [field: string]: unknown;
  readonly [refersTo]?: never;
}

/** The value that a mapping gives when its references are known. */
type ResolvedFields<Fields> = {
  -readonly [Key in keyof Fields]: Fields[Key] extends { readonly [refersTo]: infer Value }
    ? Value
    : Fields[Key] extends readonly (infer Item)[]
      ? Item[]
      : Fields[Key];
};

/**
 * What is known of the steps so far: the composite's input, each binding's output, and the last
 * step's output.
 */
interface StepsSoFar {
  readonly input: unknown;
  readonly outputs: object;
  readonly last: unknown;
}

type Sources<So extends StepsSoFar> = { readonly input: Reference<So["input"]> } & {
  readonly [Binding in keyof So["outputs"]]: {
    readonly output: Reference<So["outputs"][Binding]>;
  } & StepFacts;
};

/** What the result of a step has beside its output. */
type StepFacts = {
  readonly [Fact in keyof StepResult]: Reference<StepResult[Fact]>;
};
type StepResult = Required<Omit<Extract<LoopResult, { readonly status: "ok" }>, "output">>;

type TakenBinding<So extends StepsSoFar> = keyof So["outputs"] | "input" | "steps";

declare const endsWith: unique symbol;

/** The body of a composite, and the type of the output it ends with. */
export interface ComposedSteps<Output> {
  readonly spec: CompositeSpec;
  /** The loops that it calls. */
  readonly uses: readonly Loop<never, unknown>[];
  readonly [endsWith]?: Output;
}

/** The steps of a composite, in order. Each call adds one. */
export interface Steps<So extends StepsSoFar> extends ComposedSteps<So["last"]> {
  /**
   * Adds a step; later steps read its result under `binding`. With `grant` it may do less than its
   * caller: what is asked for, which has to be within what the caller may.
   */
  call<
    const Binding extends string,
    Loops extends Loop<never, unknown>,
    const Fields extends MappingTo<InputOf<Loops>>,
  >(
    binding: Binding extends TakenBinding<So> ? `${Binding} is taken` : Binding,
    loop: Loops,
    mapping: (sources: Sources<So>) => Fields & Checked<Fields, FieldOf<InputOf<Loops>>>,
    options?: { readonly grant?: (sources: Sources<So>) => FieldSources },
  ): Steps<{
    input: So["input"];
    outputs: So["outputs"] & { readonly [Name in Binding]: OutputOf<Loops> };
    last: OutputOf<Loops>;
  }>;
  /** Builds the output from any step, instead of taking the last step's. */
  output<const Fields extends FieldSources>(
    mapping: (sources: Sources<So>) => Fields & Checked<Fields>,
  ): Steps<{ input: So["input"]; outputs: So["outputs"]; last: ResolvedFields<Fields> }>;
}

export type InputOf<Of> = Of extends Loop<infer Input, infer _Output> ? Input : never;
export type OutputOf<Of> = Of extends Loop<infer _Input, infer Output> ? Output : never;

export interface CompositeInput<Input, Output> extends LoopHeader {
  readonly input: SchemaSource<Input>;
  readonly output: SchemaSource<Output>;
  readonly steps: (
    steps: Steps<{ input: NoInfer<Input>; outputs: Record<never, never>; last: unknown }>,
  ) => ComposedSteps<NoInfer<Output>>;
}

/**
 * Defines a loop whose body is a sequence of other loops.
 *
 * @example
 * const answer = defineComposite({
 *   id: "answer",
 *   version: "1.0.0",
 *   input: z.object({ question: z.string() }),
 *   output: z.object({ text: z.string() }),
 *   steps: (steps) =>
 *     steps
 *       .call("found", search, ({ input }) => ({ query: input.question }))
 *       .call("reply", respond, ({ input, found }) => ({
 *         question: input.question,
 *         passages: found.output.passages,
 *       })),
 * });
 */
export function defineComposite<Input, Output>(
  composite: CompositeInput<Input, Output>,
): Loop<Input, Output> {
  const begin = { spec: { steps: [] }, uses: [] };
  const { spec, uses } = composite.steps(createSteps(begin, { input: createReference(["input"]) }));
  return {
    definition: {
      ...headerFields(composite),
      inputSchema: toJsonSchema(composite.input),
      outputSchema: toJsonSchema(composite.output),
      kind: "composite",
      composite: spec,
    },
    ...refinementsOf(composite),
    uses,
  };
}

// The types above are the whole safety of this function: at run time every source is a proxy that
// records a path.
function createSteps<So extends StepsSoFar>(
  { spec, uses }: Pick<ComposedSteps<unknown>, "spec" | "uses">,
  sources: Readonly<Record<string, unknown>>,
): Steps<So> {
  const steps = {
    spec,
    uses,
    call: (
      binding: string,
      loop: Loop,
      mapping: (sources: unknown) => object,
      { grant }: { readonly grant?: (sources: unknown) => object } = {},
    ) => {
      const step: CompositeStep = {
        ...(grant === undefined ? {} : { grantMapping: toMapping(grant(sources)) }),
        loopId: loop.definition.id,
        loopVersion: loop.definition.version,
        inputMapping: toMapping(mapping(sources)),
        outputBinding: binding,
      };
      return createSteps(
        { spec: { ...spec, steps: [...spec.steps, step] }, uses: [...uses, loop] },
        { ...sources, [binding]: createReference([binding]) },
      );
    },
    output: (mapping: (sources: unknown) => object) =>
      createSteps({ spec: { ...spec, outputMapping: toMapping(mapping(sources)) }, uses }, sources),
  };
  return steps as unknown as Steps<So>;
}

function toMapping(fields: object): Mapping {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, toSource(value)]),
  );
}

function toSource(value: unknown): MappingSource {
  const source = readPlaceholder(value);
  // A copy, so that the document cannot change later; it also finds what is not JSON while the
  // author is at hand.
  return source === undefined
    ? { const: JSON.parse(canonicalize(value)) }
    : toMappingSource(source);
}
