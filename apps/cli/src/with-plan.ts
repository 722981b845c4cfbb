import { readContent, readEvents } from "@turnseal/host";
import { type PlanDocument, parsePlan } from "@turnseal/protocol";
import type { Terminal } from "@turnseal/terminal";
import { type FollowedPlan, followPlan } from "@turnseal/views";
import type { ExitCode } from "./exit-codes.ts";
import { RefusalError } from "./terminal/refusal.ts";
import { type SubjectOptions, withSubject } from "./with-subject.ts";

export interface PlanOfRun {
  readonly run: string;
  /** Undefined if it was erased. */
  readonly plan: PlanDocument | undefined;
  readonly followed: FollowedPlan;
}

/** Finds the plan of a run, and how far it is. */
export function withPlan(
  name: string,
  options: SubjectOptions & { readonly terminal: Terminal },
  body: (found: PlanOfRun) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  return withSubject(name, options, async ({ known: { run }, stores }) => {
    const follower = followPlan();
    for await (const event of readEvents(stores.log, run, 1)) follower.follow(event);
    const followed = follower.plan();
    if (followed === undefined)
      throw new RefusalError("the run has no plan", `turnseal show ${name}`);
    const parsed = parsePlan(await readContent(stores, run, followed.document));
    return body({ run, followed, plan: parsed.kind === "parsed" ? parsed.plan : undefined });
  });
}
