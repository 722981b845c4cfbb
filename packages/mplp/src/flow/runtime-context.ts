/** Inputs and outputs of the modules of a flow: the interfaces that the MPLP L3 text names. */
import type { JsonObject } from "@turnseal/protocol";

/** The context of one tick: everything from the first module to the result. */
export interface RuntimeContext {
  readonly ids: { readonly runId: string };
  readonly coordination: {
    readonly ids: { readonly runId: string };
    readonly metadata: Record<string, unknown>;
  };
  /** The events of this tick. When it ends, all of it is in the result, and this is empty. */
  readonly events: JsonObject[];
}

/** The input of a module: the facts of the flow, and the results of the modules before it. */
export interface ModuleContext {
  readonly runId: string;
  readonly flow: unknown;
  readonly context?: unknown;
  readonly plan?: unknown;
}

export type RuntimeModule = (args: {
  readonly ctx: ModuleContext;
}) => Promise<{ readonly output: unknown; readonly events: readonly JsonObject[] }>;

/** Modules by their names. */
export type RuntimeModuleRegistry = Readonly<Record<string, RuntimeModule>>;
