import type { IdleRoot } from "@turnseal/runtime/folder";
import { type Line, renderNext } from "../screen/line.ts";
import { shortId } from "../screen/short-id.ts";

/** What has a run read its messages: a command, or the program that started it. */
export function renderResume({ run, isOfProgram }: IdleRoot): Line {
  const next = isOfProgram
    ? "nothing, while the program that started the run is running; if it is not, start it again"
    : `turnseal resume ${shortId(run)}  (the run is idle: this takes effect then)`;
  return renderNext(next);
}
