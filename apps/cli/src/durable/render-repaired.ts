import type { Repaired } from "@turnseal/runtime/worker";
import { countOf } from "../terminal/count-of.ts";
import { type Line, line, toned } from "../terminal/line.ts";

/** What was looked at, and why. */
export function renderRepaired(
  { overdue, told, restored, failed }: Repaired,
  { isRestore }: { readonly isRestore: boolean },
): Line {
  const found = [
    `${overdue} overdue`,
    `${told} with unread messages`,
    ...(isRestore ? [`${restored} that changed since then`] : []),
  ];
  const mark = failed.length === 0 ? toned("good", "✓ ") : toned("bad", "✗ ");
  const looked = countOf(overdue + told + restored, "run");
  return line(mark, `checked ${looked}: ${found.join(", ")}`);
}

/** The runs of which the engine would not hear, and what to do about it. */
export function renderFailed({ failed }: Pick<Repaired, "failed">): Line[] {
  if (failed.length === 0) return [];
  const next = "check the engine at --host, then turnseal repair again";
  return [
    ...failed.map((run) => line(`  the engine did not accept ${run}`)),
    line("  ", toned("faint", "next: "), next),
  ];
}
