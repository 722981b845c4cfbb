import { followPlan, readContent, readEvents } from "@turnseal/host";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { type SubjectOptions, withSubject } from "../with-subject.ts";
import { readPlan, renderFollowedPlan } from "./render-followed-plan.ts";

export interface ShowPlanOptions extends SubjectOptions {
  readonly json?: boolean;
}

/** `turnseal plan show`: the plan of a run, and how far it is. */
export function runShowPlan(
  name: string,
  options: ShowPlanOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withSubject(name, { ...options, terminal }, async ({ known: { run }, stores }) => {
    const follower = followPlan();
    for await (const event of readEvents(stores.log, run, 1)) follower.follow(event);
    const followed = follower.plan();
    if (followed === undefined)
      return reportUsage(terminal, "the run has no plan", `turnseal show ${name}`);
    const plan = readPlan(await readContent(stores, run, followed.document));
    const { document: _, ...facts } = followed;
    if (options.json)
      terminal.out.writeText(`${renderJson({ run, plan: plan ?? null, ...facts }, 2)}\n`);
    else renderFollowedPlan(plan, followed).forEach(terminal.out.writeLine);
    return EXIT_CODES.done;
  });
}
