/**
 * Finds the loop of a command line, and the files of the loops that it calls.
 *
 * A name that looks like a file is one: it is loaded in addition to `--from`. In a file with
 * several loops, the default export is meant. Without one, it is the only loop that no other loop
 * of the file calls.
 */
import { normalize } from "node:path";
import type { ParseMode } from "@turnseal/protocol";
import { isFileName } from "../files/list-files.ts";
import { findLoopsFolder } from "./find-loops-folder.ts";
import { listCalled } from "./list-called.ts";
import { type LoadedLoop, type LoadedLoops, loadLoops } from "./load-loops.ts";

export interface TargetRequest {
  readonly loop: string;
  readonly version: string | undefined;
  readonly from: readonly string[] | undefined;
  readonly mode: ParseMode;
}

export interface Target {
  readonly kind: "found";
  readonly id: string;
  readonly version: string | undefined;
  readonly loaded: LoadedLoops;
  /** The files and folders that it was looked up in. */
  readonly paths: readonly string[];
}

export type TargetSearch =
  | Target
  | { readonly kind: "refused"; readonly loaded: LoadedLoops }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

const NEXT_FROM = "the same command with --from <files or folders>";

/** Loads what a call needs and finds the loop to call. */
export async function findTarget(request: TargetRequest): Promise<TargetSearch> {
  const { loop, version, from, mode } = request;
  const folders = await findLoopsFolder(from);
  const paths = isFileName(loop) ? [loop, ...folders] : folders;
  if (paths.length === 0) {
    const message = `${loop} is not a file, and there is no folder ./loops to look it up in`;
    return { kind: "unusable", message, next: NEXT_FROM };
  }
  const loaded = await loadLoops(paths, mode);
  if (loaded.kind === "unusable") return { ...loaded, next: NEXT_FROM };
  if (loaded.problems.length > 0) return { kind: "refused", loaded };
  if (!isFileName(loop)) return { kind: "found", id: loop, version, loaded, paths };
  return findInFile(normalize(loop), { version, loaded, paths });
}

function findInFile(
  file: string,
  { version, loaded, paths }: Pick<Target, "version" | "loaded" | "paths">,
): TargetSearch {
  const entries = loaded.entries.filter(({ source }) => source.file === file);
  if (entries.length === 0) {
    return { kind: "unusable", message: `${file} is not a file`, next: NEXT_FROM };
  }
  const chosen =
    entries.find(({ source }) => source.exportName === "default") ?? findOnlyRoot(entries);
  if (chosen === undefined) {
    const ids = entries.map(({ loop }) => loop.definition.id).join(", ");
    const message = `${file} holds several loops: ${ids}`;
    return { kind: "unusable", message, next: `name one of them, with --from ${file}` };
  }
  const { definition } = chosen.loop;
  return {
    kind: "found",
    id: definition.id,
    version: version ?? definition.version,
    loaded,
    paths,
  };
}

function findOnlyRoot(entries: readonly LoadedLoop[]): LoadedLoop | undefined {
  const called = new Set(
    entries.flatMap(({ loop }) => listCalled(loop).map(({ loopId }) => loopId)),
  );
  const roots = entries.filter(({ loop }) => !called.has(loop.definition.id));
  return roots.length === 1 ? roots[0] : undefined;
}
