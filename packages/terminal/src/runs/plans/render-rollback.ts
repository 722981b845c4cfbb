/**
 * Renders the actions that a rollback undoes, in order, and those that it leaves, for people and
 * for programs.
 */
import type { Checkpoint, RollbackHead, RollbackSearch } from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import { countOf } from "../../screen/count-of.ts";
import { describeLeft } from "../../screen/describe-left.ts";
import { describeUnlooked } from "../../screen/describe-unlooked.ts";
import { type Line, line, renderNext, toned } from "../../screen/line.ts";
import { sanitizeText } from "../../screen/sanitize-text.ts";
import { shortId } from "../../screen/short-id.ts";
import { describeRollback } from "../state/describe-rollbacks.ts";

type Shown = Exclude<RollbackSearch, { readonly kind: "refused" }>;

/** The most characters of an action's input that are shown; its card shows all. */
const INPUT_SHOWN_MAX = 60;

export function renderRollback(found: Shown, rollback: string | undefined): Line[] {
  if (found.kind === "known") {
    const { run, projection } = found.rollback;
    const isOpen = (projection?.stopped ?? null) === null;
    const state = isOpen ? describeRollback(projection) : projection?.stopped;
    return [
      line(`rollback ${shortId(run)} of run ${shortId(found.of)} is there already: ${state}`),
      ...renderLeft(found.left, found.of),
      ...(isOpen && projection !== undefined ? [renderDecide(run)] : []),
    ];
  }
  const { run, toTurn, steps, left } = found;
  const to = toTurn === 0 ? "the whole of it" : `to the end of turn ${toTurn}`;
  const title = line(toned("strong", "rollback"), ` of run ${shortId(run)}, ${to}`);
  const { checkpoint } = found;
  if (steps.length === 0 && left.length === 0)
    return [title, line("  nothing was done that could be taken back")];
  return [
    title,
    ...(checkpoint === undefined ? [] : [renderCheckpoint(checkpoint)]),
    ...(steps.length === 0 ? [] : [line("  will be undone, in this order")]),
    ...steps.map(({ tool, undo, takesBack, doneAt, until }, index) => {
      const end = until === undefined ? "" : `, until ${until}`;
      return line(
        `    ${String(index + 1).padStart(2)}  ${sanitizeText(tool)} ${showInput(takesBack.input)}`,
        toned(
          "faint",
          `  ${place(takesBack, run)}, done ${doneAt}, by ${sanitizeText(undo)}${end}`,
        ),
      );
    }),
    ...renderLeft(left, run),
    ...renderBeyond(found),
    ...(rollback === undefined ? [] : [line(`  asked for as run ${shortId(rollback)}`)]),
  ];
}

function renderDecide(run: string): Line {
  const next = `turnseal inbox ${shortId(run)}  (shows what it asks, and how to decide it)`;
  return renderNext(next);
}

/** Where it goes back to: a place in the log, and what was managed and planned there. */
function renderCheckpoint({ sequence, files, stateHash }: Checkpoint): Line {
  const roots = Object.entries(files).map(([root, page]) => `files of ${root} ${short(page)}`);
  const state = stateHash === undefined ? [] : [`state ${short(stateHash)}`];
  return line(toned("faint", `  back to event ${[sequence, ...state, ...roots].join(", ")}`));
}

function short(digest: string): string {
  return digest.replace(/^[a-z0-9-]+:/, "").slice(0, 12);
}

function renderLeft(left: RollbackHead["left"], run: string): Line[] {
  if (left.length === 0) return [];
  return [
    line("  cannot be undone"),
    ...left.map((each) =>
      line(
        toned("warning", `    !!  ${sanitizeText(each.tool)}`),
        toned("faint", `  ${place(each, run)}: `),
        describeLeft(each.why, each.reason),
      ),
    ),
  ];
}

/** The facts beyond the list. */
function renderBeyond(head: RollbackHead): Line[] {
  const { later = 0, leftBeside = 0, drifted = [], driftedBeside = 0 } = head;
  const { unlooked = [], laterRuns = [] } = head;
  return [
    ...(leftBeside === 0
      ? []
      : [line(toned("warning", `    !!  ${countOf(leftBeside, "more action")}`))]),
    ...(later === 0
      ? []
      : [
          line(
            `  ${countOf(later, "earlier action")} for the next rollback, when this one is done`,
          ),
        ]),
    ...(drifted.length === 0
      ? []
      : [
          line(
            `  ${countOf(drifted.length + driftedBeside, "file")} of these changed since, and left`,
          ),
        ]),
    ...drifted.map(({ root, path }) =>
      line(toned("warning", `    !!  ${sanitizeText(`${root}: ${path}`)}`)),
    ),
    ...unlooked.map((root) =>
      line(toned("warning", "    !!  "), sanitizeText(describeUnlooked(root, "here"))),
    ),
    ...laterRuns.map((run) => line(`  later run ${shortId(run)} manages a file of it, too`)),
  ];
}

/** The place of an action, as seen from the run that is undone. */
function place(of: { readonly run: string; readonly turn: number }, run: string): string {
  return of.run === run ? `turn ${of.turn}` : `turn ${of.turn} of run ${shortId(of.run)}`;
}

/** The input of an action distinguishes it from another of the same tool. */
function showInput(input: JsonValue): string {
  const text = sanitizeText(JSON.stringify(input));
  const characters = [...text];
  return characters.length <= INPUT_SHOWN_MAX
    ? text
    : `${characters.slice(0, INPUT_SHOWN_MAX).join("")}…`;
}

/** Without the inputs and results of actions. */
export function toJsonRollback(found: Shown, rollback: string | undefined): object {
  if (found.kind === "known") {
    const { rollback: known, of, left } = found;
    const { run, projection } = known;
    return { type: "rollback", of, run, stopped: projection?.stopped ?? null, left };
  }
  const { run, toTurn, steps, left, checkpoint = null } = found;
  return {
    checkpoint,
    ...{ type: "rollback", of: run, toTurn, run: rollback ?? null },
    steps: steps.map(({ takesBack: { input, result, ...action }, ...step }) => ({
      ...{ ...action, tool: step.tool, undo: step.undo, doneAt: step.doneAt },
      ...(step.until === undefined ? {} : { until: step.until }),
    })),
    left,
    ...{ later: found.later ?? 0, leftBeside: found.leftBeside ?? 0 },
    ...{ drifted: found.drifted ?? [], driftedBeside: found.driftedBeside ?? 0 },
    ...{ unlooked: found.unlooked ?? [], laterRuns: found.laterRuns ?? [] },
  };
}
