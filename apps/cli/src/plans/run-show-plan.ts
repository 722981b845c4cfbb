import { writeJson } from "@turnseal/terminal";
import { renderFollowedPlan } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withPlan } from "../with-plan.ts";
import type { SubjectOptions } from "../with-subject.ts";

export interface ShowPlanOptions extends SubjectOptions {
  readonly json?: boolean;
}

/** `turnseal plan show`: the plan of a run, and how far it is. */
export function runShowPlan(
  name: string,
  options: ShowPlanOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  return withPlan(name, { ...options, terminal }, ({ run, plan, followed }) => {
    const { document: _, ...facts } = followed;
    if (options.json) writeJson(terminal.out, { run, plan: plan ?? null, ...facts }, 2);
    else renderFollowedPlan(plan, followed).forEach(terminal.out.writeLine);
    return EXIT_CODES.done;
  });
}
