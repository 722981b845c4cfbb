import type { JsonObject } from "../canonical-json.ts";
import type { RollbackCause } from "../outcomes.ts";
import type { CacheSpec } from "./cache-spec.ts";
import type { ContextSpec } from "./context-spec.ts";
import type { FlowNode } from "./flow-spec.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { LoopReference } from "./loop-reference.ts";
import type { Mapping } from "./mapping.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { NoteSpec, ScopeMode } from "./note-spec.ts";
import type { ValueCondition } from "./value-condition.ts";

export const LOOP_KINDS = ["prompt", "composite", "tool"] as const;
export type LoopKind = (typeof LOOP_KINDS)[number];

/** The static description of a loop, as a JSON document (spec/loop.md). */
export interface LoopDef {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly version: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly kind: LoopKind;
  readonly prompt?: PromptSpec;
  readonly composite?: CompositeSpec;
  readonly tool?: ToolSpec;
  readonly backend?: BackendRef;
  readonly policy?: LoopPolicy;
  readonly metadata?: JsonObject;
}

/** The body of a prompt loop: a template with `{{name}}` for each declared variable. */
export interface PromptSpec extends ModelSettings {
  readonly template: string;
  readonly variables: readonly string[];
  readonly systemPrompt?: string;
  /** Loops that the model may ask for. */
  readonly tools?: readonly OfferedTool[];
  /** Model requests that one call may make. */
  readonly maxRounds?: number;
  /** How often the prompt asks again after an output that the schema refuses, with the problems. */
  readonly outputRepairs?: number;
  /** In a run: the name of signals whose payload it is shown in its next round. */
  readonly feedback?: string;
  /**
   * In a run: whether the prompt sees its earlier messages; all prompts with the same name share a
   * thread. The root prompt of a run does, unless this is false; others are not.
   */
  readonly thread?: boolean | string;
  /** The part of its thread that a prompt is shown. */
  readonly context?: ContextSpec;
  /** Where in the input files stand that the model is shown: a file or a list of files each. */
  readonly files?: readonly string[];
  /** Notes that each call begins with. */
  readonly notes?: readonly NoteSpec[];
  /** By the key of a note, the field of its input that lists texts to note under it. */
  readonly notesFrom?: Readonly<Record<string, string>>;
  /** How its notes stand to those of its caller; its own, where it does not say. */
  readonly scope?: ScopeMode;
}

/** A loop that a model may ask for. */
export interface OfferedTool extends LoopReference {
  /** It may run at the same time as others so declared that the model asks for next to it. */
  readonly independent?: boolean;
}

/** The body of a composite loop: steps that run in order, or a flow. */
export type CompositeSpec = StepsSpec | FlowSpec;

export interface StepsSpec {
  readonly steps: readonly CompositeStep[];
  readonly flow?: never;
  /** How the output is built. Without it the output is the last step's. */
  readonly outputMapping?: Mapping;
}

export interface FlowSpec {
  readonly flow: FlowNode;
  readonly steps?: never;
  /** How the output is built. Without it the output is what the flow gave. */
  readonly outputMapping?: Mapping;
}

export interface CompositeStep {
  readonly loopId: string;
  /** Pins the reference. Without it, the highest release counts. */
  readonly loopVersion?: string;
  readonly inputMapping: Mapping;
  readonly outputBinding?: string;
  /** A narrower grant for the step, field by field: fixed, or from what earlier steps gave. */
  readonly grantMapping?: Mapping;
}

/** The body of a tool loop: the name of a function that the operator binds. */
export interface ToolSpec {
  readonly implementation: string;
  readonly config?: JsonObject;
}

/** The model provider that a prompt loop asks, and optionally which of its models. */
export interface BackendRef {
  readonly id: string;
  readonly model?: string;
}

/**
 * Limits that the runtime must enforce on a call. LSEM leaves the content to the implementation.
 */
export interface LoopPolicy {
  readonly timeoutMs?: number;
  /** For a prompt: how long its model may give nothing of its answer. */
  readonly firstPieceMs?: number;
  /** For a prompt: the most tokens that a request may have, by estimate. */
  readonly contextTokensMax?: number;
  /** For a prompt: an answer by another model than the one asked is not taken. */
  readonly refuseModelDrift?: boolean;
  /** For a prompt: the backends to ask, in order of preference, instead of `backend`. */
  readonly routes?: readonly RouteSpec[];
  /** For a prompt with routes: the failures of a model after which the next route follows. */
  readonly fallback?: readonly string[];
  /** For a prompt: how often it may ask, counted with all others that name the same limit. */
  readonly rateLimit?: RateLimitSpec;
  /** For a prompt: loops that look at its input first, in order. */
  readonly inputFilters?: readonly LoopReference[];
  /** For a prompt: loops that check its output before it is shown, in order. */
  readonly outputFilters?: readonly LoopReference[];
  /** For a prompt or a tool: whether an equal call in a run may be answered with what this gave. */
  readonly cache?: CacheSpec;
  /** True if every action must be reversible: a tool without a compensation is refused. */
  readonly reversible?: boolean;
  /** Why a run of it that stops has its rollback asked for by the host. */
  readonly rollbackOn?: readonly RollbackCause[];
  /** The goal of a run that names none: then one turn is tried, unless the run says how many. */
  readonly goal?: ValueCondition;
  readonly [field: string]: unknown;
}

/** A backend for a prompt; with `when`, only for inputs that meet it. */
export interface RouteSpec extends BackendRef {
  readonly when?: ValueCondition;
}

/** A limit by its name, which everything shares that is counted together. */
export interface RateLimitSpec {
  readonly name: string;
  readonly perMinute?: number;
  readonly inFlight?: number;
}
