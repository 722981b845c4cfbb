import { type Line, renderNext } from "../terminal/line.ts";
import { shortId } from "../terminal/short-id.ts";

/** The command that has a run read its messages. */
export function renderResume(root: string): Line {
  const next = `turnseal resume ${shortId(root)}  (the run is idle: this takes effect then)`;
  return renderNext(next);
}
