/** What is paused is not begun: neither claimed, nor done again, nor asked what became of it. */
import { findPause, formatPause, type Pause } from "@turnseal/protocol";
import type { Paused } from "../outcome.ts";
import { type Ended, ended, type Step } from "../step/step.ts";

/** How long a turn is put down where it cannot be read what is paused. */
const UNREAD_MS = 30_000;

type PausedStep = Pick<Step, "pauses" | "action" | "frame" | "clock">;

/** How an action waits that is paused; undefined where it may begin. */
export async function meetPause(step: PausedStep): Promise<Ended | undefined> {
  const { pauses, action, frame } = step;
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

/** Whether it may begin cannot be told: it does not, and is looked at again. */
function waitToRead({ clock }: Pick<PausedStep, "clock">): Paused {
  return { kind: "paused", untilMs: clock.now() + UNREAD_MS };
}
