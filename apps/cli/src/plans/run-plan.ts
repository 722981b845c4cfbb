import { type KnownRun, readEvents } from "@turnseal/host";
import { isPlanLoop } from "@turnseal/protocol";
import type { StoreFolder } from "@turnseal/runtime/folder";
import { shortId } from "@turnseal/terminal";
import { followPlan } from "@turnseal/views";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { type ResumeOptions, runResume } from "../runs/resume/run-resume.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withRun } from "../with-run.ts";

/** `turnseal plan run`: drives the run of a plan, and no other. */
export async function runPlan(
  name: string,
  options: ResumeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  let run: string | undefined;
  const looked = await withRun(name, options, async ({ known, folder }) => {
    if (!(await isOfPlan(known, folder)))
      throw new RefusalError(
        `run ${shortId(known.run)} is of ${known.loop}, and has no plan`,
        `turnseal resume ${shortId(known.run)}`,
      );
    run = known.run;
    return EXIT_CODES.done;
  });
  return run === undefined ? looked : runResume(run, options, surroundings);
}

/** A run whose start is all that is recorded has not proposed its plan yet. */
async function isOfPlan({ run, loop }: KnownRun, { stores }: StoreFolder): Promise<boolean> {
  if (isPlanLoop(loop)) return true;
  const follower = followPlan();
  for await (const event of readEvents(stores.log, run, 1)) follower.follow(event);
  return follower.plan() !== undefined;
}
