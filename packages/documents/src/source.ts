import type { Model, Tool } from "@turnseal/ports";
import type { Refinements } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import type { Finding, Position } from "./finding.ts";

/**
 * One loop as it was found: the document, where it stands, and for an authored tool the function.
 */
export interface Source {
  readonly file: string;
  readonly exportName?: string;
  readonly document: unknown;
  readonly tool?: SourceTool;
  /** For an authored loop: what its schemas check beyond the document. */
  readonly refinements?: Refinements;
  /** Where in the file a JSON Pointer leads; a module has no such place. */
  readonly locate?: (pointer: string) => Position;
}

/** The function of an authored tool, with all that it says of itself. */
export interface SourceTool extends ToolWords {
  readonly name: string;
  readonly run: Tool;
}

/** The declarations of a tool: its effect, its needs of the grant, and its gate. */
export type ToolWords = Pick<Loop, "declared" | "needs" | "gate">;

/** The words of a tool: a tool that lost one of them on the way would be held to less. */
export function pickWords({ declared, needs, gate }: ToolWords): ToolWords {
  return {
    ...(declared === undefined ? {} : { declared }),
    ...(needs === undefined ? {} : { needs }),
    ...(gate === undefined ? {} : { gate }),
  };
}

/** The loops of one file. */
export interface ReadFile {
  readonly sources: readonly Source[];
  /** Loops that those of a module bring along without being exported: their tools, their steps. */
  readonly brought?: readonly Source[];
  /** Models that a module brings along, by the backend that prompts name. */
  readonly models?: ReadonlyMap<string, Model>;
  readonly findings: readonly Finding[];
}

/** The place of a problem in a source, as far as it is known. */
export function placeOf(source: Source, pointer: string): Pick<Finding, "file" | "position"> {
  return {
    file: source.file,
    ...(source.exportName === undefined ? {} : { exportName: source.exportName }),
    ...(source.locate === undefined ? {} : { position: source.locate(pointer) }),
  };
}
