/** What a reconciliation would make of files: the card that a person says yes to. */
import type { ReconcilePlan, ReconcileProblem, ShownFile } from "@turnseal/host";
import {
  diffLines,
  MERGE_LENGTH_MAX,
  type ReconcileWay,
  splitLines,
} from "@turnseal/protocol/artifact";
import { countOf } from "../terminal/count-of.ts";
import { type Line, line, toned } from "../terminal/line.ts";

type Planned = Extract<ReconcilePlan, { readonly kind: "planned" }>;

const WAYS: Readonly<Record<ReconcileWay, string>> = {
  "graph-wins": "what the run recorded counts",
  "files-win": "what is there counts",
  manual: "what counts is said file by file",
  merge: "both count",
};

const FATES: Readonly<Record<ShownFile["becomes"], string>> = {
  graph: "is put back",
  files: "is recorded as it is",
  merged: "is merged",
};

/** Lines of one file that are shown, and files whose lines are. */
export const CARD_LINES_MAX = 40;
export const CARD_FILES_MAX = 20;

/** Each file with what was recorded (−) and what is there (+). */
export function renderReconciliation({ plan, shown, more }: Planned): Line[] {
  const { root, way } = plan;
  const rest = more === 0 ? "" : `, and ${more} more after these`;
  return [
    line(toned("strong", root), `  ${countOf(shown.length, "file")}: ${WAYS[way]} (${way})${rest}`),
    ...shown.flatMap((file, at) => [
      line(
        "  ",
        toned("warning", file.drift.kind.padEnd(13)),
        `${file.drift.path}  `,
        fateOf(file),
      ),
      ...(at < CARD_FILES_MAX ? renderLines(file) : []),
    ]),
  ];
}

function fateOf({ becomes, drift }: ShownFile): string {
  const isGone = drift.kind === "deleted" || drift.kind === "replaced";
  return becomes === "files" && isGone ? "is no longer managed" : FATES[becomes];
}

function renderLines({ recorded, seen }: ShownFile): Line[] {
  const [before, now] = [readLines(recorded), readLines(seen)];
  if (before === undefined || now === undefined) return [];
  const changes = diffLines(before, now);
  if (changes === undefined) return [line("      ", toned("faint", "too many lines differ"))];
  const all = changes.flatMap(({ at, removed, to, added }) => [
    ...before.slice(at, at + removed).map((text) => line("      ", toned("bad", `− ${cut(text)}`))),
    ...now.slice(to, to + added).map((text) => line("      ", toned("good", `+ ${cut(text)}`))),
  ]);
  const rest = all.length - CARD_LINES_MAX;
  const end = rest > 0 ? [line("      ", toned("faint", `${countOf(rest, "line")} more`))] : [];
  return [...all.slice(0, CARD_LINES_MAX), ...end];
}

/** The lines of a text; none where there is no file, undefined where it is no text. */
function readLines(bytes: Uint8Array | undefined): readonly string[] | undefined {
  if (bytes === undefined) return [];
  if (bytes.length > MERGE_LENGTH_MAX) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : splitLines(text);
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.replace(/\n$/, "");
}

/** Why there is no plan, file by file; conflicts with both sides. */
export function renderProblems(problems: readonly ReconcileProblem[]): Line[] {
  return problems.flatMap((problem) => [
    line("  ", toned("bad", problem.path), `  ${describeProblem(problem)}`),
    ...(problem.merge?.conflicts ?? []).flatMap(({ line: at, ours, theirs }) => [
      line("      ", toned("faint", `at line ${at}`)),
      ...splitLines(ours).map((text) => line("      ", toned("bad", `− ${cut(text)}`))),
      ...splitLines(theirs).map((text) => line("      ", toned("good", `+ ${cut(text)}`))),
    ]),
  ]);
}

function describeProblem({ why, merge }: ReconcileProblem): string {
  switch (why) {
    case "erased":
      return "the content that is needed for it was erased or is not what was stored";
    case "not-there":
      return "does not differ";
    case "replaced":
      return "something else is in its place: move that away first";
    case "side-missing":
      return "name it with --keep or with --restore";
    case "too-large":
      return "is too large to be kept";
    case "unread":
      return "cannot be read here";
    case "conflict":
      return describeConflict(merge?.why ?? "both-changed");
  }
}

function describeConflict(why: NonNullable<ReconcileProblem["merge"]>["why"]): string {
  switch (why) {
    case "both-changed":
      return "the run and another both changed the same place";
    case "both-made":
      return "the run made it, so that there is nothing that both come from";
    case "mode":
      return "both changed its permissions";
    case "no-text":
      return "is no text, and both changed it";
    case "too-different":
      return "is too long or too different to be merged";
  }
}
