import type { Repaired } from "@turnseal/operate/worker";
import { countOf } from "../screen/count-of.ts";
import { type Line, line, renderNext, toned } from "../screen/line.ts";

/** Renders how many runs were looked at, and why. */
export function renderRepaired(
  { overdue, told, blocked, restored, scheduled, resting, failed }: Repaired,
  { isRestore }: { readonly isRestore: boolean },
): Line {
  const found = [
    `${overdue} overdue`,
    `${told} with unread messages`,
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(isRestore ? [`${restored} that changed since then`] : []),
    ...(scheduled > 0 ? [`${scheduled} of them continue at a set time`] : []),
    ...(resting > 0 ? [`${resting} of them wait for a person or a signal`] : []),
  ];
  const mark = failed.length === 0 ? toned("good", "✓ ") : toned("bad", "✗ ");
  const looked = countOf(overdue + told + blocked + restored, "run");
  return line(mark, `checked ${looked}: ${found.join(", ")}`);
}

const FAILED_SHOWN_MAX = 20;

/** Renders the runs whose looks did not reach the engine, and the next step. */
export function renderFailed({ failed }: Pick<Repaired, "failed">): Line[] {
  if (failed.length === 0) return [];
  const next = "check the engine at --host, then turnseal repair again";
  return [
    ...failed.slice(0, FAILED_SHOWN_MAX).map((run) => line(`  the engine did not accept ${run}`)),
    ...(failed.length > FAILED_SHOWN_MAX
      ? [line(`  and ${failed.length - FAILED_SHOWN_MAX} more: --json lists them all`)]
      : []),
    renderNext(next),
  ];
}
