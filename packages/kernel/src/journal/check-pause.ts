/** Blocks a paused action: it is neither claimed, repeated nor reconciled. */
import { findPause, formatPause, type Pause } from "@turnseal/protocol";
import type { Paused } from "../outcome.ts";
import { type Ended, ended, type Step, type StepControl } from "../step/step.ts";

/** How long a turn waits when the pauses cannot be read. */
const UNREAD_MS = 30_000;

type PausedStep = Pick<Step, "action" | "frame" | "clock"> & {
  readonly control: Pick<StepControl, "pauses">;
};

/** How an action waits that is paused; undefined where it may begin. */
export async function checkPause(step: PausedStep): Promise<Ended | undefined> {
  const { action, frame } = step;
  const { pauses } = step.control;
  if (pauses === undefined) return undefined;
  let inForce: readonly Pause[];
  try {
    inForce = await pauses();
  } catch {
    return ended(waitToRead(step));
  }
  const tools = action.judged === undefined ? [] : [action.judged.tool.name];
  const pause = findPause(inForce, { loops: frame.loops, tools });
  if (pause === undefined) return undefined;
  return ended({ kind: "paused", block: { cause: "paused", what: formatPause(pause) } });
}

/** The pauses cannot be read: the action does not begin, and looks again later. */
function waitToRead({ clock }: Pick<PausedStep, "clock">): Paused {
  return { kind: "paused", untilMs: clock.now() + UNREAD_MS };
}
