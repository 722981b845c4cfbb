import { adviseAfter, explainReason, type UnknownEnd } from "@turnseal/host";
import type { JsonValue, StopReason } from "@turnseal/protocol";
import { type Line, line, toned } from "../terminal/line.ts";
import { shortId } from "../terminal/short-id.ts";
import { describeUnknownEnd } from "./describe-unknown-end.ts";

export interface RunEnd {
  readonly run: string;
  readonly reason: StopReason;
  readonly turns: number;
  /** Actions that may have happened. */
  readonly unknown: readonly UnknownEnd[];
}

/** Renders why a run has stopped, and which command says more. */
export function renderStopped({ run, reason, unknown }: RunEnd): Line[] {
  const isReached = reason === "goal-reached";
  const advice = adviseAfter(reason);
  const next = isReached ? `verify ${shortId(run)}` : `explain ${shortId(run)}`;
  return [
    line("stopped: ", toned(isReached ? "good" : "bad", reason), `  ${explainReason(reason)}`),
    ...unknown.map((end) => line(...describeUnknownEnd(end, run))),
    ...(advice === undefined ? [] : [line("  ", toned("faint", "next: "), advice)]),
    line("  ", toned("faint", advice === undefined ? "next: " : "  or: "), `turnseal ${next}`),
  ];
}

/** The same for programs. */
export function toStoppedLine(end: RunEnd & { readonly output: JsonValue | undefined }): object {
  const { output, ...known } = end;
  return { type: "stopped", ...known, ...(output === undefined ? {} : { output }) };
}
