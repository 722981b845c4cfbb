/**
 * The times of schedules. Only the calendar is somebody else's: what follows from a time is in the
 * log, so that two workers whose calendars differ still agree on what was given.
 */
import type { Schedule } from "@turnseal/protocol";
import { Cron } from "croner";

/** The first time of a schedule after another; undefined when there is none any more. */
export function nextTick(schedule: Schedule, afterMs: number): number | undefined {
  return openCalendar(schedule)?.nextRun(new Date(afterMs))?.getTime();
}

/**
 * The time that is due: the latest one that has come, so that those missed before it are made up
 * for at once and together. Undefined when none has come since.
 */
export function dueTick(
  schedule: Schedule,
  { afterMs, nowMs }: { readonly afterMs: number; readonly nowMs: number },
): number | undefined {
  const first = nextTick(schedule, afterMs);
  if (first === undefined || first > nowMs) return undefined;
  // One second later, since the calendar looks for times before the one that it is given.
  const [latest] = openCalendar(schedule)?.previousRuns(1, new Date(nowMs + 1_000)) ?? [];
  const latestMs = latest?.getTime() ?? first;
  return latestMs >= first && latestMs <= nowMs ? latestMs : first;
}

/** What is wrong with a schedule, or undefined. */
export function checkSchedule(schedule: Schedule): string | undefined {
  const { name, cron, timezone } = schedule;
  const calendar = openCalendar(schedule);
  if (calendar === undefined)
    return timezone !== undefined && openCalendar({ name, cron }) !== undefined
      ? `the schedule ${name} has an unknown \`timezone\`: write a name such as Europe/Berlin`
      : `the schedule ${name} has an unreadable \`cron\`: write five fields such as 0 9 * * 1-5`;
  if (calendar.nextRun(anyTime) === null)
    return `the schedule ${name} never comes: write a \`cron\` whose day exists`;
  return undefined;
}

const anyTime = new Date(0);

/** Undefined for a schedule that cannot be read: a run may have been started by another host. */
function openCalendar({ cron, timezone = "UTC" }: Schedule): Cron | undefined {
  try {
    const calendar = new Cron(cron, { mode: "5-part", timezone, paused: true });
    // A time zone is looked at only when a time is asked for.
    calendar.nextRun(anyTime);
    return calendar;
  } catch {
    return undefined;
  }
}
