import type { JsonValue, StopReason } from "@turnseal/protocol";
import { explainReason } from "./explain-reason.ts";
import { type Line, line, toned } from "./line.ts";
import { shortId } from "./short-id.ts";

export interface RunEnd {
  readonly run: string;
  readonly reason: StopReason;
  readonly turns: number;
}

/** Renders why a run has stopped, and which command says more. */
export function renderStopped({ run, reason }: RunEnd): Line[] {
  const isReached = reason === "goal-reached";
  const next = isReached ? `verify ${shortId(run)}` : `explain ${shortId(run)}`;
  return [
    line("stopped: ", toned(isReached ? "good" : "bad", reason), `  ${explainReason(reason)}`),
    line("  ", toned("faint", "next: "), `turnseal ${next}`),
  ];
}

/** The same for programs. */
export function toStoppedLine(end: RunEnd & { readonly output: JsonValue | undefined }): object {
  const { output, ...known } = end;
  return { type: "stopped", ...known, ...(output === undefined ? {} : { output }) };
}
