import { followPlan, readContent, readEvents } from "@turnseal/host";
import { parsePlan } from "@turnseal/protocol";
import { drawPlan } from "../draw/draw-plan.ts";
import { shorten } from "../draw/words.ts";
import type { ExitCode } from "../exit-codes.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { type SubjectOptions, withSubject } from "../with-subject.ts";
import { type DrawOptions, writePicture } from "./run-draw.ts";

/** True for what names a run, and is no file and no id of a loop that people give. */
export function isRunName(name: string): boolean {
  return name === "last" || /^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/.test(name);
}

/** `turnseal draw` of a run: its plan, and how far each step is. */
export function runDrawRun(
  name: string,
  options: DrawOptions & SubjectOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withSubject(name, { ...options, terminal }, async ({ known: { run }, stores }) => {
    const follower = followPlan();
    for await (const event of readEvents(stores.log, run, 1)) follower.follow(event);
    const followed = follower.plan();
    if (followed === undefined)
      return reportUsage(terminal, "the run has no plan", `turnseal show ${name}`);
    const parsed = parsePlan(await readContent(stores, run, followed.document));
    if (parsed.kind !== "parsed")
      return reportUsage(terminal, "the plan was erased", `turnseal plan show ${name}`);
    const title = `${shorten(parsed.plan.title)}  ${followed.state}`;
    return writePicture({ picture: drawPlan(parsed.plan, followed), title }, options, terminal);
  });
}
