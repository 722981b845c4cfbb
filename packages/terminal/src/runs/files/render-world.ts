/** The drift of the managed files of a run, for people. */
import type { FileDrift, RootDrift } from "@turnseal/host";
import type { FileState } from "@turnseal/protocol/artifact";
import { countOf } from "../../screen/count-of.ts";
import { type Line, line, renderNext, type Tone, toned } from "../../screen/line.ts";
import { shortId } from "../../screen/short-id.ts";

/** Folders that are not there, by the root that they are bound to. */
export type MissingFolders = Readonly<Record<string, string>>;

/** Every difference, root by root. */
export function renderWorld(
  run: string,
  roots: readonly RootDrift[],
  missing: MissingFolders = {},
): Line[] {
  if (roots.length === 0) return [line(`${shortId(run)} manages no files`)];
  return roots.flatMap((root) => [
    line(toned("strong", root.root), `  ${describeMissing(root, missing) ?? describeRoot(root)}`),
    ...(root.kind === "looked" ? root.drifts.map(renderDrift) : [renderAdvice(root, run)]),
  ]);
}

/** That a folder is bound, and is not there; undefined if that is not so. */
function describeMissing(root: RootDrift, missing: MissingFolders): string | undefined {
  if (root.kind !== "unknown" || root.why !== "unbound") return undefined;
  if (!Object.hasOwn(missing, root.root)) return undefined;
  const folder = `there is no folder ${missing[root.root]}`;
  return `${countOf(root.files, "file")}: the folder bound to it is missing: ${folder}`;
}

/** The state of one root in a line. */
export function describeRoot(root: RootDrift): string {
  const files = countOf(root.files, "file");
  if (root.kind === "unknown") return `${files}: ${UNKNOWN_ROOTS[root.why]}`;
  const { drifts, unnamed } = root;
  const strange = unnamed === 0 ? "" : `; ${countOf(unnamed, "name")} that no path can have`;
  if (drifts.length === 0) return `${files}, as recorded${strange}`;
  return `${files}, ${countOf(drifts.length, "difference")}${strange}`;
}

/** Why the files of a root are unknown. */
export const UNKNOWN_ROOTS = {
  unbound: "no folder is bound to it here",
  absent: "its folder is not there",
  "too-many": "its folder has more entries than can be compared",
  erased: "what was recorded of them was erased",
} as const;

function renderAdvice(root: RootDrift, run: string): Line {
  const isErased = root.kind === "unknown" && root.why === "erased";
  const next = isErased
    ? `turnseal verify ${shortId(run)}  (its log and its receipts are still there)`
    : `TURNSEAL_ROOTS=${root.root}=<folder> turnseal drift ${shortId(run)}`;
  return renderNext(next);
}

const tones: Readonly<Record<FileDrift["kind"], Tone>> = {
  created: "good",
  modified: "warning",
  "mode-changed": "warning",
  renamed: "accent",
  deleted: "bad",
  replaced: "bad",
  unread: "bad",
};

function renderDrift(drift: FileDrift): Line {
  const { kind, path } = drift;
  return line("  ", toned(tones[kind], kind.padEnd(13)), `${path}${describeDrift(drift)}`);
}

function describeDrift(drift: FileDrift): string {
  switch (drift.kind) {
    case "created":
      return drift.twinOf === undefined
        ? ""
        : `, the same as ${drift.twinOf} where case does not count`;
    case "modified":
      return `  ${describeDigests(drift)}${describeLines(drift)}`;
    case "mode-changed":
      return `  ${formatMode(drift.before)} → ${formatMode(drift.after)}`;
    case "renamed":
      return ` → ${drift.to}`;
    case "deleted":
      return `  was ${cut(drift.before)}`;
    case "replaced":
      return `  by a ${drift.by}`;
    case "unread":
      return drift.reason === "denied" ? "  may not be read here" : "  changes while it is read";
  }
}

function describeDigests({
  before,
  after,
}: {
  readonly before: FileState;
  readonly after: FileState;
}) {
  return `${cut(before)} → ${cut(after)}`;
}

function describeLines({ lines }: FileDrift): string {
  return lines === undefined ? "" : `, +${lines.added} −${lines.removed} lines`;
}

const DIGITS_SHOWN = 12;

function cut({ digest }: FileState): string {
  return digest.slice(digest.indexOf(":") + 1).slice(0, DIGITS_SHOWN);
}

export function formatMode({ mode }: FileState): string {
  return mode === undefined ? "none" : mode.toString(8).padStart(4, "0");
}
