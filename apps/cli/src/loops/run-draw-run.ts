import type { Terminal } from "@turnseal/terminal";
import { drawPlan, shorten } from "@turnseal/terminal/draw";
import type { ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import { withPlan } from "../with-plan.ts";
import type { SubjectOptions } from "../with-subject.ts";
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
  return withPlan(name, { ...options, terminal }, ({ plan, followed }) => {
    if (plan === undefined)
      throw new RefusalError("the plan was erased", `turnseal plan show ${name}`);
    const title = `${shorten(plan.title)}  ${followed.state}`;
    return writePicture({ picture: drawPlan(plan, followed), title }, options, terminal);
  });
}
