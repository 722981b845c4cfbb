/**
 * The few lines between authored loops and the kernel: registers them, binds their functions, keeps
 * their types.
 */
import { bindLoops, type CallOptions, createExecutor, createRegistry } from "@turnseal/kernel";
import {
  type Clock,
  type Ids,
  type Model,
  memorySecrets,
  randomIds,
  type Secrets,
  systemClock,
  type Tool,
} from "@turnseal/ports";
import { LoopError, type LoopResult, type Problem } from "@turnseal/protocol";
import { type Loop, withUsed } from "@turnseal/protocol/authoring";

export interface RuntimeOptions {
  /** The loops that may be called. Each brings the tools and steps that it names along. */
  readonly loops: readonly Loop<never, unknown>[];
  /** Models by backend id. Without one for `scripted`, a built-in one answers. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Functions for tool loops that were written as documents, by `tool.implementation`. */
  readonly tools?: Readonly<Record<string, Tool>>;
  /** Where the secrets that tools declare come from. Without it there are none. */
  readonly secrets?: Secrets;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

export interface Runtime {
  /** Calls a loop. The types of input and output are the loop's own. */
  call<Input, Output>(
    loop: Loop<Input, Output>,
    input: NoInfer<Input>,
    options?: Omit<CallOptions, "version">,
  ): Promise<LoopResult<Output>>;
}

/** A mistake, by the rule of its kind of document. */
type DefinitionProblem = Omit<Problem, "rule"> & { readonly rule: string };

/** An invalid loop or policy: `problems` lists its mistakes, and how to fix each. */
export class DefinitionError extends LoopError<"DEFINITION_REFUSED"> {
  readonly problems: readonly DefinitionProblem[];

  constructor(subject: string, problems: readonly DefinitionProblem[]) {
    const lines = problems.map(({ path, message, mend }) => `${path} ${message}; ${mend}`.trim());
    const message = `${subject} is refused: ${lines.join(" | ")}`;
    super({ code: "DEFINITION_REFUSED", retry: "never", message });
    this.problems = problems;
  }
}

/**
 * Makes authored loops callable.
 *
 * @example
 * const runtime = createRuntime({ loops: [add] });
 * const result = await runtime.call(add, { a: 1, b: 2 });
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { models = {}, clock = systemClock, ids = randomIds } = options;
  const loops = withUsed(options.loops);
  const registry = createRegistry();
  for (const { definition, refinements } of loops) {
    const registration = registry.register(definition, { refinements });
    if (registration.kind === "refused") {
      throw new DefinitionError(`loop ${definition.id}`, registration.problems);
    }
  }
  const bound = bindLoops(loops, options.tools);
  if (bound.kind === "refused") {
    const [first] = bound.clashes;
    const problems = bound.clashes.map(({ problem }) => problem);
    throw new DefinitionError(`loop ${first?.loop.definition.id ?? ""}`, problems);
  }
  const { tools } = bound;
  const { secrets = memorySecrets() } = options;
  const executor = createExecutor({ registry, models, tools, secrets, clock, ids });
  return {
    call: async <Input, Output>(
      { definition: { id, version } }: Loop<Input, Output>,
      input: Input,
      callOptions: Omit<CallOptions, "version"> = {},
    ) =>
      // The registry validated the output by the loop's own schema, from which `Output` was
      // inferred.
      (await executor.call(id, input, { ...callOptions, version })) as LoopResult<Output>,
  };
}
