import { followPlan, type KnownRun, readEvents } from "@turnseal/host";
import { isPlanLoop } from "@turnseal/protocol";
import { findRun, type StoreFolder } from "@turnseal/runtime/folder";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { type ResumeOptions, runResume } from "../runs/run-resume.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withFolder } from "../with-run.ts";

/** `turnseal plan run`: carries on the run of a plan, and no other. */
export async function runPlan(
  name: string,
  options: ResumeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  let run: string | undefined;
  const looked = await withFolder(options, terminal, async (folder) => {
    const search = await findRun(folder, name);
    if (search.kind === "unusable") return reportUsage(terminal, search.message, search.next);
    const { known } = search;
    if (!(await isOfPlan(known, folder)))
      return reportUsage(
        terminal,
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
