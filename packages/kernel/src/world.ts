import type { Ids, Model, ToolBinding } from "@turnseal/ports";
import type { DenialReason, PriceTable } from "@turnseal/protocol";
import type { Journal } from "./journal/action.ts";
import type { PinnedLoops } from "./registry/registry.ts";

/**
 * What a root call acts upon: the ports, the operator's bindings, and the loops as they were when
 * it started.
 */
export interface World {
  readonly ids: Ids;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: ReadonlyMap<string, ToolBinding>;
  readonly loops: PinnedLoops;
  readonly journal: Journal;
  /** What models cost, where the operator knows it. */
  readonly prices: PriceTable | undefined;
  /** True when a request whose price is unknown must be refused. */
  readonly needsPrices: boolean;
  /** Decides whether a tool may be executed, at the time of the call's latest event. */
  admitTool(tool: string, nowMs: number): DenialReason | undefined;
}
