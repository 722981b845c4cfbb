/**
 * Gives a run the signals of its schedules. They are recorded with the time that the schedule
 * names, so that a second look at the same log gives none of them again.
 */

import { NO_AWAITED, type RunProjection } from "@turnseal/folds";
import type { Actor, RunSpec, Schedule } from "@turnseal/protocol";
import type { HeldRun } from "../state/held-run.ts";
import { dueTick, nextTick } from "./next-tick.ts";

const host: Actor = { kind: "host", id: "host" };

/** Records what is due between two turns, the earliest first; at most one of each schedule. */
export async function appendTicks({ appender, projection, clock }: HeldRun): Promise<void> {
  const run = projection();
  if (run.lastTurn === null || run.lastTurn.isDecided || run.isCancelled) return;
  const nowMs = Math.max(clock.now(), appender.lastMs());
  const due = listWaited(run).flatMap(({ schedule, afterMs }) => {
    const atMs = dueTick(schedule, { afterMs, nowMs });
    return atMs === undefined ? [] : [{ schedule, atMs }];
  });
  due.sort((one, other) => one.atMs - other.atMs);
  for (const { schedule, atMs } of due) {
    const { name, payload = null } = schedule;
    const at = new Date(atMs).toISOString();
    const key = `schedule:${name}:${at}`;
    appender.push(() => ({
      type: "signal.received",
      actor: host,
      content: { kind: "signal", key, receivedAt: at, name },
      attached: { payload },
    }));
  }
  if (due.length > 0) await appender.flush();
}

/** When the next signal of a schedule comes; undefined when none does. */
export function nextTickOf(run: RunProjection): number | undefined {
  const times = listWaited(run).flatMap(({ schedule, afterMs }) => {
    const atMs = nextTick(schedule, afterMs);
    return atMs === undefined ? [] : [atMs];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

interface WaitedSchedule {
  readonly schedule: Schedule;
  /** Its last time, or when the run started. */
  readonly afterMs: number;
}

/** The schedules whose last signal was used: none gives a second before that. */
function listWaited(run: RunProjection): WaitedSchedule[] {
  const { spec, startedAt, awaited } = run;
  const { ticks, after } = awaited ?? NO_AWAITED;
  return schedulesOf(spec).flatMap((schedule) => {
    const tick = Object.hasOwn(ticks, schedule.name) ? ticks[schedule.name] : undefined;
    if (tick !== undefined && tick.sequence > after) return [];
    return [{ schedule, afterMs: Date.parse(tick?.at ?? startedAt ?? "") }];
  });
}

function schedulesOf(spec: RunSpec | null): readonly Schedule[] {
  return spec?.bounds.schedules ?? [];
}
