import type { GateAnswer } from "../approval/tool-gate.ts";
import type { DeclaredCompensation } from "../compensation.ts";
import type { Needs } from "../grant/needs.ts";
import type { LoopDef } from "../loop/loop-def.ts";
import type { Refinements } from "../loop/refinement.ts";
import type { Effect } from "../outcomes.ts";
import type { Reconcile, ToolFunction } from "./tool-function.ts";

declare const types: unique symbol;

/** A loop as authored in TypeScript: its document, and the types of what goes in and comes out. */
export interface Loop<Input = never, Output = unknown> {
  readonly definition: LoopDef;
  /** For a tool: the function to bind to the name in the document. */
  readonly run?: ToolFunction<Input, Output>;
  /** For a tool: what it declares about doing its effect twice. */
  readonly declared?: DeclaredEffect;
  /** For a tool: what it needs of the grant for an input. */
  readonly needs?: (input: Input) => Needs;
  /** For a tool: what it says itself before it is executed. */
  readonly gate?: (input: Input) => GateAnswer;
  /** The checks of its schemas beyond the JSON Schema in the document. */
  readonly refinements?: Refinements;
  /** The loops that it brings along: the tools of a prompt, the steps of a composite. */
  readonly uses?: readonly Loop<never, unknown>[];
  readonly [types]?: { readonly input: (input: Input) => void; readonly output: Output };
}

export type InputOf<Of> = Of extends Loop<infer Input, infer _Output> ? Input : never;
export type OutputOf<Of> = Of extends Loop<infer _Input, infer Output> ? Output : never;

/**
 * The declarations of a tool about its effect. Without a declaration, a tool counts as acting at
 * most once.
 */
export interface DeclaredEffect {
  readonly effect?: Effect;
  /** A name for the code; by default, it follows from the source of the function. */
  readonly build?: string;
  /** For `reconcile`: finds the end of an earlier attempt. */
  readonly reconcile?: Reconcile;
  /** Names of the secrets that it gets in `context.secrets`. */
  readonly secrets?: readonly string[];
  /** The root of files that it reads and changes through `context.artifacts`. */
  readonly artifacts?: DeclaredArtifacts;
  /** How a person can undo its effect by hand, in words for approvers. */
  readonly undo?: string;
  /** Its compensation, for a rollback. */
  readonly compensation?: DeclaredCompensation;
  /** Why nothing can take its effect back. */
  readonly irreversible?: string;
  /** True for a compensation. */
  readonly takesBack?: true;
  /** True for the compensation that restores files: a host does it, from the log of the action. */
  readonly restores?: true;
}

/** Each worker binds the name of a root to a folder of its own, unless the tool inspects it. */
export interface DeclaredArtifacts {
  readonly root: string;
  /**
   * For things outside that are no files: what one of them is now, as a text or bytes, or null
   * where there is none. MUST only read. Then `write` and `remove` change nothing: the tool does,
   * and says with them what it has left, which is recorded where it is so.
   */
  readonly inspect?: (
    thing: string,
    context: InspectContext,
  ) => Promise<Uint8Array | string | null>;
}

export interface InspectContext {
  /** The secrets that the tool declares. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * The version of a loop that names none: a run is held to its digest, as to that of any other. It
 * is for development, and refused in production.
 */
export const DEVELOPMENT_VERSION = "0.0.0-dev";

/** The fields that every loop shares. `name` defaults to the id. */
export interface LoopHeader {
  readonly id: string;
  /** A semantic version: by default `0.0.0-dev`, which production refuses. */
  readonly version?: string;
  readonly name?: string;
  readonly description?: string;
  readonly policy?: LoopDef["policy"];
  readonly metadata?: LoopDef["metadata"];
}

/** The shared fields of the document, without absent ones. */
export function headerFields(
  header: LoopHeader,
): Pick<LoopDef, "id" | "name" | "version"> & Partial<LoopDef> {
  const { id, version = DEVELOPMENT_VERSION, name = id, description, policy, metadata } = header;
  return {
    id,
    name,
    version,
    ...(description === undefined ? {} : { description }),
    ...(policy === undefined ? {} : { policy }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
