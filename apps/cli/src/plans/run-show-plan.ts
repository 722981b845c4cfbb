import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { withPlan } from "../with-plan.ts";
import type { SubjectOptions } from "../with-subject.ts";
import { renderFollowedPlan } from "./render-followed-plan.ts";

export interface ShowPlanOptions extends SubjectOptions {
  readonly json?: boolean;
}

/** `turnseal plan show`: the plan of a run, and how far it is. */
export function runShowPlan(
  name: string,
  options: ShowPlanOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withPlan(name, { ...options, terminal }, ({ run, plan, followed }) => {
    const { document: _, ...facts } = followed;
    if (options.json)
      terminal.out.writeText(`${renderJson({ run, plan: plan ?? null, ...facts }, 2)}\n`);
    else renderFollowedPlan(plan, followed).forEach(terminal.out.writeLine);
    return EXIT_CODES.done;
  });
}
