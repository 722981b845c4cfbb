/**
 * Says until when a run waits that a schedule moves: whoever carries or watches it stays until
 * then, and would see nothing of it.
 */
import { nextTick } from "@turnseal/host";
import type { LoopEvent, RunSpec, Schedule } from "@turnseal/protocol";
import { type Line, line, toned } from "../terminal/line.ts";

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
    // What was waited for is over where somebody watches from the beginning.
    if (next === undefined || next.atMs <= now()) return undefined;
    const note = `waiting until ${new Date(next.atMs).toISOString()}, when ${next.name} comes`;
    return line(toned("warning", "note: "), note);
  };
}

function listTicks(schedules: readonly Schedule[], afterMs: number) {
  return schedules.flatMap((schedule) => {
    const atMs = nextTick(schedule, afterMs);
    return atMs === undefined ? [] : [{ name: schedule.name, atMs }];
  });
}
