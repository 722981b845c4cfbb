/**
 * A file with two changed versions of one base: the run's and another author's. A change of only
 * one side is taken; a change of both is never guessed.
 */
import { type MergeConflict, mergeTexts } from "./merge-texts.ts";

/** The file that both come from, what the run made of it, and what is there. */
export interface MergedFiles {
  /** Undefined if the run has made the file. */
  readonly ancestor: MergedFile | undefined;
  readonly recorded: MergedFile;
  readonly seen: MergedFile;
}

export interface MergedFile {
  readonly bytes: Uint8Array;
  readonly mode?: number;
}

export type FileMerge =
  | ({ readonly kind: "merged" } & MergedFile)
  | {
      readonly kind: "conflict";
      readonly why: "both-changed" | "both-made" | "mode" | "no-text" | "too-different";
      readonly conflicts: readonly MergeConflict[];
    };

export function mergeFiles({ ancestor, recorded, seen }: MergedFiles): FileMerge {
  if (ancestor === undefined) return conflict("both-made");
  const mode = mergeModes(ancestor.mode, recorded.mode, seen.mode);
  if (mode === "conflict") return conflict("mode");
  const withMode = (bytes: Uint8Array): FileMerge => ({
    ...{ kind: "merged", bytes },
    ...(mode === undefined ? {} : { mode }),
  });
  if (areEqual(ancestor.bytes, recorded.bytes)) return withMode(seen.bytes);
  if (areEqual(ancestor.bytes, seen.bytes)) return withMode(recorded.bytes);
  const [base, ours, theirs] = [ancestor, recorded, seen].map(({ bytes }) => readText(bytes));
  if (base === undefined || ours === undefined || theirs === undefined) return conflict("no-text");
  const merge = mergeTexts(
    { base, ours, theirs },
    { base: "before", ours: "recorded", theirs: "there" },
  );
  switch (merge.kind) {
    case "merged":
      return withMode(new TextEncoder().encode(merge.text));
    case "conflict":
      return { kind: "conflict", why: "both-changed", conflicts: merge.conflicts };
    case "refused":
      return conflict("too-different");
  }
}

function conflict(why: Extract<FileMerge, { kind: "conflict" }>["why"]): FileMerge {
  return { kind: "conflict", why, conflicts: [] };
}

/** Where the platform has no modes, there is nothing to merge. */
function mergeModes(
  ancestor: number | undefined,
  recorded: number | undefined,
  seen: number | undefined,
): number | undefined | "conflict" {
  if (recorded === seen || seen === undefined) return recorded;
  if (ancestor === recorded || recorded === undefined) return seen;
  return ancestor === seen ? recorded : "conflict";
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function readText(bytes: Uint8Array): string | undefined {
  try {
    // A mark at the beginning is part of the file.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
