/** Loops and a world for tests: every part is real, and time stands still until a test moves it. */
import {
  type Clock,
  type Model,
  manualClock,
  memorySink,
  seededIds,
  type Tool,
} from "@turnseal/ports";
import type { CompositeStep, LoopDef, LoopResult, Mapping } from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import { bindTools } from "../actions/bind-tools.ts";
import { createRegistry, type Registry } from "../registry/registry.ts";
import { type CallOptions, createExecutor } from "./executor.ts";

const header = (id: string) =>
  ({ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true }) as const;

/** A tool loop, bound to the function `local.<id>`. */
export function toolLoop(id: string, fields: Partial<LoopDef> = {}): LoopDef {
  return { ...header(id), kind: "tool", tool: { implementation: `local.${id}` }, ...fields };
}

/** A prompt loop that is answered by the model bound to `sample`. */
export function promptLoop(id: string, fields: Partial<LoopDef> = {}): LoopDef {
  const prompt = { template: "Say {{word}}", variables: ["word"] };
  return { ...header(id), kind: "prompt", prompt, backend: { id: "sample" }, ...fields };
}

export function compositeLoop(
  id: string,
  steps: readonly CompositeStep[],
  fields: Partial<LoopDef> = {},
): LoopDef {
  return { ...header(id), kind: "composite", composite: { steps }, ...fields };
}

export function step(loopId: string, inputMapping: Mapping = {}, binding?: string): CompositeStep {
  return { loopId, inputMapping, ...(binding === undefined ? {} : { outputBinding: binding }) };
}

export interface SampleWorldOptions {
  readonly loops: readonly unknown[];
  readonly tools?: Readonly<Record<string, Tool>>;
  readonly models?: Readonly<Record<string, Model>>;
  readonly clock?: Clock;
  readonly seed?: string;
}

export interface SampleWorld {
  readonly registry: Registry;
  /** Calls a loop and answers with the result and the events of its listener. */
  call(loopId: string, input?: unknown, options?: CallOptions): Promise<SampleCall>;
}

export interface SampleCall {
  readonly result: LoopResult;
  readonly events: readonly CallEvent[];
}

/** Registers the loops and binds the functions, these by the id of their loop. */
export function openWorld(options: SampleWorldOptions): SampleWorld {
  const { loops, models = {}, clock = manualClock(), seed = "seed" } = options;
  const registry = createRegistry();
  for (const loop of loops) {
    const registration = registry.register(loop);
    if (registration.kind === "refused") throw new Error(JSON.stringify(registration.problems));
  }
  const tools = Object.fromEntries(
    Object.entries(options.tools ?? {}).map(([id, tool]) => [`local.${id}`, tool]),
  );
  const executor = createExecutor({
    registry,
    clock,
    ids: seededIds(seed),
    models,
    tools: bindTools(tools),
  });
  return {
    registry,
    call: async (loopId, input = {}, callOptions = {}) => {
      const { sink, events } = memorySink();
      return { result: await executor.call(loopId, input, { sink, ...callOptions }), events };
    },
  };
}

/** The types of the trace, in order. */
export function typesOf({ result }: SampleCall): string[] {
  return result.trace.map(({ type }) => type);
}

/** The code of a call that failed. */
export function codeOf({ result }: SampleCall): string | undefined {
  return result.status === "error" ? result.error.code : undefined;
}
