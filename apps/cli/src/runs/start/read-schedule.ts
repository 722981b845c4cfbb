import type { RunBounds } from "@turnseal/protocol";

export interface ScheduleOptions {
  readonly every?: string;
  readonly timezone?: string;
}

/** How a schedule is written on the command line. */
export const EVERY = "--every '0 9 * * 1-5' --timezone Europe/Berlin";

/** The schedule of `--every`. */
export function readSchedule({ every, timezone }: ScheduleOptions): Partial<RunBounds> {
  if (every === undefined) return {};
  const zone = timezone === undefined ? {} : { timezone };
  return { schedules: [{ name: "tick", cron: every, ...zone }] };
}
