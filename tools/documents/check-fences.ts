/** Checks the fences of the documents without running them. */
import type { Tree } from "../tidy/tree.ts";
import { type Fence, listFences, readMark } from "./list-fences.ts";

/**
 * What a mark asks for.
 *
 * `ts`: without a mark the code is compiled, run, and its output compared with a `text` fence that
 * follows. `no-run` and `needs-key` only compile. `from=<file>` is a part of that file, word for
 * word. `before` shows what we do not write. `sh`: `run` executes the lines; `with-engine` too,
 * where there is an engine, `with-workers` where there are workers, and `with-model` where a server
 * answers for a provider. `json`, `toml` and `ts`: `file=<name>` puts the text where later fences
 * find it.
 */
const knownMarks: ReadonlyMap<string, RegExp> = new Map([
  ["ts", /^(no-run|needs-key|before|from=\S+|file=\S+)$/],
  ["json", /^file=\S+$/],
  ["toml", /^file=\S+$/],
  ["sh", /^(run|with-engine|with-model|with-workers)$/],
]);

/** The fences of every document but the specification, whose code is not ours to run. */
export function listDocumentFences(tree: Tree): Fence[] {
  return [...tree]
    .filter(([path]) => path.endsWith(".md") && !/^(spec|docs\/reference)\//.test(path))
    .flatMap(([path, text]) => listFences(path, text));
}

/** Marks that mean nothing: a slip there would quietly take a snippet out of the test. */
export function checkMarks(fences: readonly Fence[]): string[] {
  return fences.flatMap((fence) =>
    fence.marks
      .filter((mark) => knownMarks.get(fence.language)?.test(mark) !== true)
      .map((mark) => `${placeOf(fence)} has the unknown mark ${mark}`),
  );
}

/** Quotations that are not, or no longer, in the file that they name. */
export function checkQuotations(fences: readonly Fence[], tree: Tree): string[] {
  return fences.flatMap((fence) => {
    const file = readMark(fence, "from");
    if (file === undefined) return [];
    const source = tree.get(file);
    if (source === undefined) return [`${placeOf(fence)} quotes ${file}, which is not there`];
    return source.includes(fence.text) ? [] : [`${placeOf(fence)} is not in ${file}`];
  });
}

/** Places where a fence claims to be JSON and is not. */
export function checkJson(fences: readonly Fence[]): string[] {
  return fences.flatMap((fence) => {
    if (fence.language !== "json") return [];
    try {
      JSON.parse(fence.text);
      return [];
    } catch {
      return [`${placeOf(fence)} is not JSON`];
    }
  });
}

export function placeOf({ document, line }: Fence): string {
  return `${document}:${line}`;
}
