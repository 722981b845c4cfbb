/** The state of a compilation: known names and collected loops, for every part of the file. */
import type { FlowNode, JsonSchema, LoopDef, MappingSource, Problem } from "@turnseal/protocol";
import type { FilledStrategies } from "./strategies.ts";

/** Another workflow file, as its callers see it. */
export interface NestedWorkflow {
  readonly id: string;
  readonly version: string;
  readonly inputs: readonly string[];
  /** True for an agent, which says with `done` whether it reached its goal. */
  readonly isAgent: boolean;
}

export interface Compiling {
  readonly id: string;
  readonly version: string;
  /** A loop that is registered. */
  readonly findLoop: (id: string) => LoopDef | undefined;
  /** The names of all of them, to suggest one for a misspelled name. */
  readonly loopIds: readonly string[];
  /** Undefined for a file that was already reported as unreadable. */
  readonly openNested: (file: string) => NestedWorkflow | undefined;
  /** The text of a file beside it, undefined in the same way. */
  readonly readText: (file: string) => string | undefined;
  /** From the words of actions to loops. */
  readonly verbs: ReadonlyMap<string, string>;
  /** Inputs that are declared, each with a description; undefined if the file declares none. */
  readonly declared: ReadonlyMap<string, string> | undefined;
  /** Variables that nothing in the file gives. */
  readonly inputs: Map<string, InputUse>;
  /** The prompts and tools that the workflow brings along. */
  readonly loops: LoopDef[];
  /** Where in the file a part of a document comes from. */
  readonly origins: WeakMap<object, string>;
  readonly problems: Problem[];
}

export interface InputUse {
  readonly isList: boolean;
}

/** A value that a text may name: how an expression and how a path reads it. */
export interface Seen {
  readonly cel: string;
  /** Undefined if only an expression gives it. */
  readonly path: string | undefined;
  readonly schema: JsonSchema;
}

/** The names in scope at a place of the file. */
export interface Sight {
  readonly names: ReadonlyMap<string, Seen>;
  /** Results of this scope, oldest first, and those of the scopes around it. */
  readonly shown: readonly string[];
  readonly above: readonly string[];
  /** In a state the context is what all states gave. */
  readonly isMachine: boolean;
  readonly strategies: FilledStrategies;
  /** The names of the scopes around it, the outermost first. */
  readonly scopes: readonly string[];
}

/** A source with the field that it is for. */
export type Sources = Readonly<Record<string, MappingSource>>;

/** Notes what is wrong at a place of the file. */
export function addProblem(compiling: Compiling, problem: Problem): undefined {
  compiling.problems.push(problem);
  return undefined;
}

/** Remembers where a node comes from, and gives it back. */
export function placed<Node extends FlowNode>(
  compiling: Compiling,
  path: string,
  node: Node,
): Node {
  compiling.origins.set(node, path);
  return node;
}

/** As TOML and CEL write a text alike. */
export function quote(text: string): string {
  return JSON.stringify(text);
}
