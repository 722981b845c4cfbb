import type { PolicyProblemRule, Problem, ProblemRule } from "@turnseal/protocol";

/** A place in a text: both count from one, the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The rules of loops that come from files and are called, beside those of a document. */
export const FILE_RULES = [
  "file-unreadable",
  "toml",
  "module-failed",
  "module-empty",
  "backend-unbound",
  "tool-unbound",
  "price-missing",
  "version-development",
  "agent-grant",
  "tool-ungranted",
  "handoff-uncapped",
  "path-nowhere",
  "mcp-server",
  "mcp-unpinned",
] as const;
export type FileRule = (typeof FILE_RULES)[number];

/** A problem, with the file that it was found in. */
export interface Finding extends Omit<Problem, "rule"> {
  readonly rule: ProblemRule | PolicyProblemRule | FileRule;
  readonly file: string;
  /** In a module: the name of the export that holds the loop. */
  readonly exportName?: string;
  /** In a document: where in the file. */
  readonly position?: Position;
  /** The command that helps to fix it. */
  readonly next?: string;
}
