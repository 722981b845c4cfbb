import type { JsonObject, JsonValue } from "../canonical-json.ts";

/** A JSON Schema document, draft 2020-12. */
export type JsonSchema = JsonObject | boolean;

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
export interface PromptSpec {
  readonly template: string;
  readonly variables: readonly string[];
  readonly systemPrompt?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Loops that the model may ask for. */
  readonly tools?: readonly LoopReference[];
  /** Model requests that one call may make; only with tools are there more than one. */
  readonly maxRounds?: number;
}

/** Names a loop; without a version the highest release is meant. */
export interface LoopReference {
  readonly loopId: string;
  readonly loopVersion?: string;
}

/** The body of a composite loop: steps that run in order. */
export interface CompositeSpec {
  readonly steps: readonly CompositeStep[];
  /** How the output is built. Without it the output is the last step's. */
  readonly outputMapping?: Mapping;
}

export interface CompositeStep {
  readonly loopId: string;
  /** Pins the reference. Without it the highest release is meant. */
  readonly loopVersion?: string;
  readonly inputMapping: Mapping;
  readonly outputBinding?: string;
  /** A narrower grant for the step, field by field: fixed, or from what earlier steps gave. */
  readonly grantMapping?: Mapping;
}

/** From a field's name to where its value comes from. */
export type Mapping = Readonly<Record<string, MappingSource>>;

/** A path such as `$.input.a`, a text such as `literal:a`, or a typed constant. */
export type MappingSource = string | { readonly const: JsonValue };

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

/** What the runtime must hold a call to. LSEM leaves the content to the implementation. */
export interface LoopPolicy {
  readonly timeoutMs?: number;
  readonly [field: string]: JsonValue | undefined;
}
