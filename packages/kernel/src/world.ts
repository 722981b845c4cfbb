import type { Clock, Ids, Model, Tool } from "@turnseal/ports";
import type { PinnedLoops } from "./registry/registry.ts";

/**
 * What a root call acts upon: the ports, the operator's bindings, and the loops as they were when
 * it started.
 */
export interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly loops: PinnedLoops;
  readonly signal: AbortSignal | undefined;
}
