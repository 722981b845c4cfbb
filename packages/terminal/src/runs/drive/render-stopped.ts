import type { UnknownEnd } from "@turnseal/folds";
import type { FlowPart } from "@turnseal/host";
import type { JsonValue, StopReason } from "@turnseal/protocol";
import type { RollbackCause } from "@turnseal/protocol/authoring";
import { adviseAfter, explainReason } from "@turnseal/views";
import { type Line, line, renderNext, toned } from "../../screen/line.ts";
import { shortId } from "../../screen/short-id.ts";
import { describeUnknownEnd } from "../state/describe-unknown-end.ts";

export interface RunEnd {
  readonly run: string;
  readonly reason: StopReason;
  readonly turns: number;
  /** Actions that may have happened. */
  readonly unknown: readonly UnknownEnd[];
  /** Why it has its rollback asked for, and the run of that; undefined if it was not. */
  readonly triggered?: { readonly cause: RollbackCause; readonly rollback: string | undefined };
}

/** Renders why a run has stopped, and which command says more. */
export function renderStopped({ run, reason, unknown, triggered }: RunEnd): Line[] {
  const isReached = reason === "goal-reached";
  const advice = adviseAfter(reason);
  const next = isReached ? `verify ${shortId(run)}` : `explain ${shortId(run)}`;
  return [
    line("stopped: ", toned(isReached ? "good" : "bad", reason), `  ${explainReason(reason)}`),
    ...unknown.map((end) => line(...describeUnknownEnd(end, run))),
    ...(triggered === undefined ? [] : renderTriggered(triggered, run, isReached)),
    ...(advice === undefined ? [] : [renderNext(advice)]),
    line("  ", toned("faint", advice === undefined ? "next: " : "  or: "), `turnseal ${next}`),
  ];
}

/** A rollback that waits for people; or a note that there is none: `explain` says why. */
function renderTriggered(
  { cause, rollback }: NonNullable<RunEnd["triggered"]>,
  run: string,
  isReached: boolean,
): Line[] {
  const next = rollback === undefined ? `explain ${shortId(run)}` : `inbox ${shortId(rollback)}`;
  const words =
    rollback === undefined
      ? `no rollback is asked for on ${cause}`
      : `its rollback is asked for on ${cause}: run ${shortId(rollback)}`;
  // The last line of a run that has not reached its goal names `explain` already.
  if (rollback === undefined && !isReached) return [line(words)];
  return [line(words), renderNext(`turnseal ${next}`)];
}

interface StoppedEnd extends RunEnd {
  readonly output: JsonValue | undefined;
  /** The results of the parts of its flow. */
  readonly parts?: readonly FlowPart[];
}

/** The same for programs. */
export function toStoppedLine(end: StoppedEnd): object {
  const { output, parts = [], triggered, ...known } = end;
  const asked =
    triggered === undefined
      ? {}
      : { triggered: { ...triggered, rollback: triggered.rollback ?? null } };
  const told = parts.length === 0 ? {} : { parts };
  return {
    type: "stopped",
    ...known,
    ...asked,
    ...(output === undefined ? {} : { output }),
    ...told,
  };
}
