/**
 * Composites in TypeScript. The mapping functions run once, when the loop is defined, over
 * references that record where a value will come from; what remains is the same document as one
 * written by hand.
 */
import type { CompositeStep, StepsSpec } from "../loop/loop-def.ts";
import type { LoopResult } from "../loop-result.ts";
import { writeFlow } from "./flow/create-flow.ts";
import type { ComposedFlow, FlowStart } from "./flow/flow.ts";
import { refinementsOf, type SchemaSource, toJsonSchema } from "./json-schema-source.ts";
import { headerFields, type InputOf, type Loop, type LoopHeader, type OutputOf } from "./loop.ts";
import {
  type Checked,
  type FieldOf,
  type FieldSources,
  type MappingTo,
  type ResolvedFields,
  toMapping,
} from "./mapping-fields.ts";
import { createReference, type Reference } from "./reference.ts";

/**
 * The names known to the next step: the composite's input, each binding's output, and the last
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

/** The facts of a step's result beside its output. */
type StepFacts = {
  readonly [Fact in keyof StepResult]: Reference<StepResult[Fact]>;
};
type StepResult = Required<Omit<Extract<LoopResult, { readonly status: "ok" }>, "output">>;

type TakenBinding<So extends StepsSoFar> = keyof So["outputs"] | "input" | "steps";

declare const endsWith: unique symbol;

/** The body of a composite, and the type of the output it ends with. */
export interface ComposedSteps<Output> {
  readonly spec: StepsSpec;
  /** The loops that it calls. */
  readonly uses: readonly Loop<never, unknown>[];
  readonly [endsWith]?: Output;
}

/** The steps of a composite, in order. Each call adds one. */
export interface Steps<So extends StepsSoFar> extends ComposedSteps<So["last"]> {
  /**
   * Adds a step; later steps read its result under `binding`. With `grant` it may do less than its
   * caller: the grant must fit inside the caller's.
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

export type CompositeInput<Input, Output> = CompositeHeader<Input, Output> &
  (StepsBody<Input, Output> | FlowBody<Input, Output>);

interface CompositeHeader<Input, Output> extends LoopHeader {
  readonly input: SchemaSource<Input>;
  readonly output: SchemaSource<Output>;
}

interface StepsBody<Input, Output> {
  readonly steps: (
    steps: Steps<{ input: NoInfer<Input>; outputs: Record<never, never>; last: unknown }>,
  ) => ComposedSteps<NoInfer<Output>>;
  readonly flow?: never;
}

interface FlowBody<Input, Output> {
  readonly flow: (flow: FlowStart<{ input: NoInfer<Input> }>) => ComposedFlow<NoInfer<Output>>;
  readonly steps?: never;
}

/**
 * Defines a loop whose body is other loops: `steps`, one after the other, or a `flow`.
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
  const { spec, uses } =
    composite.steps === undefined ? writeFlow(composite.flow) : writeSteps(composite.steps);
  return {
    definition: {
      ...headerFields(composite),
      inputSchema: toJsonSchema(composite.input, `the input of composite ${composite.id}`),
      outputSchema: toJsonSchema(composite.output, `the output of composite ${composite.id}`),
      kind: "composite",
      composite: spec,
    },
    ...refinementsOf(composite),
    uses,
  };
}

function writeSteps<So extends StepsSoFar>(
  write: (steps: Steps<So>) => ComposedSteps<unknown>,
): ComposedSteps<unknown> {
  const begin = { spec: { steps: [] }, uses: [] };
  return write(createSteps(begin, { input: createReference(["input"]) }));
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
