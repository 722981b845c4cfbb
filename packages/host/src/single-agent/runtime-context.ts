/** What modules of a flow are given and give: the interfaces that the MPLP L3 text names. */
import type { JsonObject } from "@turnseal/protocol";

/** What belongs to one tick: everything from the first module to the result. */
export interface RuntimeContext {
  readonly ids: { readonly runId: string };
  readonly coordination: {
    readonly ids: { readonly runId: string };
    readonly metadata: Record<string, unknown>;
  };
  /** What happened in this tick. When it ends, all of it is in the result, and this is empty. */
  readonly events: JsonObject[];
}

/** What a module is given: what the flow says, and what the modules before it have made. */
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
