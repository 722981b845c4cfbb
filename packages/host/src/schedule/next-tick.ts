/**
 * The times of schedules. Only the calendar is foreign: the log records what follows from a time,
 * so that two workers with different calendars agree on the signals.
 */
import type { Schedule } from "@turnseal/protocol";
import { Cron } from "croner";

/** The first time of a schedule after another; undefined when there is none any more. */
export function nextTick(schedule: Schedule, afterMs: number): number | undefined {
  return openCalendar(schedule)?.nextRun(new Date(afterMs))?.getTime();
}

/**
 * The due time: the latest one that has come, which makes up for all missed ones at once. Undefined
 * when none has come since.
 */
export function dueTick(
  schedule: Schedule,
  { afterMs, nowMs }: { readonly afterMs: number; readonly nowMs: number },
): number | undefined {
  const first = nextTick(schedule, afterMs);
  if (first === undefined || first > nowMs) return undefined;
  // One second later, since the calendar only looks for times before its argument.
  const [latest] = openCalendar(schedule)?.previousRuns(1, new Date(nowMs + 1_000)) ?? [];
  const latestMs = latest?.getTime() ?? first;
  return latestMs >= first && latestMs <= nowMs ? latestMs : first;
}

/** The fault of a schedule, or undefined. */
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
    // The library checks a time zone only when it computes a time.
    calendar.nextRun(anyTime);
    return calendar;
  } catch {
    return undefined;
  }
}
