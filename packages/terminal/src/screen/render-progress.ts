import { countOf } from "./count-of.ts";
import { type Line, line, toned } from "./line.ts";

/** How often a command says how far it is. */
export const PROGRESS_MS = 2_000;

/** How far a command is that looks at every run, and where another could go on. */
export function renderProgress(checked: number, upTo: string | undefined): Line {
  const place = upTo === undefined ? "" : `, up to ${upTo} (--after ${upTo} continues there)`;
  return line(toned("faint", `checked ${countOf(checked, "run")}${place}`));
}
