import type { LoopDef } from "../loop/loop-def.ts";
import type { ToolFunction } from "./tool-function.ts";

declare const types: unique symbol;

/** A loop as authored in TypeScript: its document, and the types of what goes in and comes out. */
export interface Loop<Input = never, Output = unknown> {
  readonly definition: LoopDef;
  /** For a tool: the function to bind to the name in the document. */
  readonly run?: ToolFunction<Input, Output>;
  readonly [types]?: { readonly input: (input: Input) => void; readonly output: Output };
}

/** The fields that every loop shares. `name` defaults to the id. */
export interface LoopHeader {
  readonly id: string;
  readonly version: string;
  readonly name?: string;
  readonly description?: string;
  readonly policy?: LoopDef["policy"];
  readonly metadata?: LoopDef["metadata"];
}

/** The shared fields of the document, without those that were not given. */
export function headerFields(
  header: LoopHeader,
): Pick<LoopDef, "id" | "name" | "version"> & Partial<LoopDef> {
  const { id, version, name = id, description, policy, metadata } = header;
  return {
    id,
    name,
    version,
    ...(description === undefined ? {} : { description }),
    ...(policy === undefined ? {} : { policy }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
