/** Where the tools of one root are: their names, the root, and what they need of the grant. */
import type { TermRequest } from "@turnseal/protocol";
import { defineTool, type Loop, type ToolInput } from "@turnseal/protocol/authoring";

export interface FilePlace {
  readonly root: string;
  /** The first part of the names: `fs` in `fs.read`. */
  readonly name: string;
}

type Verb = "read" | "write" | "delete";

/** UTF-16 units of a path in a term of a grant. */
const TERM_PATH_LENGTH = 256;

/** A request for one file. */
export function needFile({ root }: FilePlace, verb: Verb, path: string): TermRequest {
  const capability = verb === "read" ? "filesystem_read" : "filesystem_write";
  return { family: "workspace", resource: root, verb, capability, path };
}

/**
 * A request for everything below a folder. A term bounds paths by patterns, and a request names one
 * path. This is the deepest that a term can hold, so only a pattern for all depths covers it.
 */
export function needFolder(place: FilePlace, folder: string): TermRequest {
  const before = folder === "" ? "" : `${folder}/`;
  const levels = Math.max(1, Math.floor((TERM_PATH_LENGTH - before.length) / 2));
  return needFile(place, "read", before + Array.from({ length: levels }, () => "*").join("/"));
}

/** A request for the entries of a folder itself. */
export function needEntries(place: FilePlace, folder: string): TermRequest {
  return needFile(place, "read", folder === "" ? "*" : `${folder}/*`);
}

type FileToolInput<Input, Output> = Pick<
  ToolInput<Input, Output>,
  "id" | "description" | "input" | "output" | "effect" | "run"
> & { readonly needs: (input: Input) => readonly TermRequest[] };

/** Defines a tool of a root. */
export function defineFileTool<Input, Output>(
  { root, name }: FilePlace,
  { id, needs, ...tool }: FileToolInput<Input, Output>,
): Loop<Input, Output> {
  const reference = `${name}.${id}`;
  return defineTool({
    ...tool,
    ...{ id: reference, version: "1.0.0", implementation: reference },
    // The functions of this package are not in the source of `run`.
    build: `turnseal.tools:${id}:1`,
    artifacts: { root },
    needs: (input) => ({ terms: needs(input) }),
  });
}
