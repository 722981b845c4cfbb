/**
 * Reports the next time of a schedule that a run waits for: the command stays until then, and would
 * otherwise show nothing.
 */
import { nextTick } from "@turnseal/host";
import type { LoopEvent, RunSpec, Schedule } from "@turnseal/protocol";
import { type Line, renderNote } from "../../screen/line.ts";

/** Answers with a note for each event after which a time is waited for that has not come yet. */
export function followTicks(
  spec?: RunSpec | null,
  now: () => number = Date.now,
): (event: LoopEvent) => Line | undefined {
  let schedules = spec?.bounds.schedules ?? [];
  return ({ type, at, content }) => {
    if (type === "run.started")
      schedules = (content.spec as unknown as RunSpec | undefined)?.bounds.schedules ?? [];
    if (type !== "run.decided" || content.decision !== "wait") return undefined;
    const [next] = listTicks(schedules, Date.parse(at)).sort((a, b) => a.atMs - b.atMs);
    // If a watcher reads from the beginning, the awaited time is in the past.
    if (next === undefined || next.atMs <= now()) return undefined;
    const note = `waiting until ${new Date(next.atMs).toISOString()}, when ${next.name} comes`;
    return renderNote(note);
  };
}

function listTicks(schedules: readonly Schedule[], afterMs: number) {
  return schedules.flatMap((schedule) => {
    const atMs = nextTick(schedule, afterMs);
    return atMs === undefined ? [] : [{ name: schedule.name, atMs }];
  });
}
