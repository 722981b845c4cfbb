/** The effect of a reconciliation on files: the card that a person approves. */
import type { ReconcilePlan, ReconcileProblem, ShownFile } from "@turnseal/host";
import { type ReconcileWay, splitLines } from "@turnseal/protocol/artifact";
import { countOf } from "../../screen/count-of.ts";
import { type Line, line, toned } from "../../screen/line.ts";
import { type Difference, renderDifference, renderText } from "./render-difference.ts";
import { formatMode } from "./render-world.ts";

type Planned = Extract<ReconcilePlan, { readonly kind: "planned" }>;

const WAYS: Readonly<Record<ReconcileWay, string>> = {
  "graph-wins": "the record wins",
  "files-win": "the files win",
  manual: "each file is decided on its own",
  merge: "both count",
};

const FATES: Readonly<Record<ShownFile["becomes"], string>> = {
  graph: "is put back",
  files: "is recorded as it is",
  merged: "is merged",
};

/** Lines of one file that are shown, and files whose lines are; of the others they are counted. */
export const CARD_LINES_MAX = 40;
export const CARD_FILES_MAX = 20;

export interface CardOptions {
  /** Every line of every file. */
  readonly isWhole?: boolean;
}

/** Each file with what was recorded (−) and what is there (+). */
export function renderReconciliation(
  { plan, shown, more }: Planned,
  { isWhole = false }: CardOptions = {},
): Line[] {
  const { root, way } = plan;
  const rest = more === 0 ? "" : `, and ${more} more after these`;
  const linesMax = (at: number): number => {
    if (isWhole) return Number.POSITIVE_INFINITY;
    return at < CARD_FILES_MAX ? CARD_LINES_MAX : 0;
  };
  const cards = shown.map((file, at) => renderFile(file, linesMax(at)));
  return [
    line(toned("strong", root), `  ${countOf(shown.length, "file")}: ${WAYS[way]} (${way})${rest}`),
    ...cards.flatMap(({ lines }) => lines),
    ...(cards.some(({ isCut }) => isCut) ? [line("  ", toned("faint", WHOLE))] : []),
  ];
}

const WHOLE = "not every line is shown: --whole shows them all";

function renderFile(file: ShownFile, linesMax: number): Difference {
  const { drift, recorded, seen, merged } = file;
  const difference = renderDifference(recorded, seen, linesMax);
  const written = merged === undefined ? undefined : renderDifference(seen, merged, linesMax);
  const isSame = written?.lines.length === 0;
  const head = isSame ? "nothing is written: it is what is there" : "what is written:";
  return {
    lines: [
      line("  ", toned("warning", drift.kind.padEnd(13)), `${drift.path}  `, fateOf(file)),
      ...renderModes(file),
      ...difference.lines,
      ...(written === undefined ? [] : [line("      ", toned("faint", head))]),
      ...(written?.lines ?? []),
    ],
    isCut: difference.isCut || written?.isCut === true,
  };
}

function fateOf({ becomes, drift }: ShownFile): string {
  const isGone = drift.kind === "deleted" || drift.kind === "replaced";
  return becomes === "files" && isGone ? "is no longer managed" : FATES[becomes];
}

/** Permissions are part of a file, also where its lines are what counts. */
function renderModes({ drift }: ShownFile): Line[] {
  if (drift.kind !== "modified" && drift.kind !== "mode-changed") return [];
  const { before, after } = drift;
  if (before.mode === after.mode) return [];
  return [line("      ", `permissions ${formatMode(before)} → ${formatMode(after)}`)];
}

/** Why there is no plan, file by file; conflicts with both sides. */
export function renderProblems(problems: readonly ReconcileProblem[]): Line[] {
  return problems.flatMap((problem) => [
    line("  ", toned("bad", problem.path), `  ${describeProblem(problem)}`),
    ...(problem.merge?.conflicts ?? []).flatMap(({ line: at, ours, theirs }) => [
      line("      ", toned("faint", `at line ${at}`)),
      ...splitLines(ours).map((text) => renderText("−", text)),
      ...splitLines(theirs).map((text) => renderText("+", text)),
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
