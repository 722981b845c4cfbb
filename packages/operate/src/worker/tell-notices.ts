/**
 * Writes what the engine's library reports. It reports each unsigned request, and any client that
 * reaches the port can send those. So lines without a run are bounded.
 */
import type { EngineNotice } from "@turnseal/host/restate";
import type { WorkerLog } from "./worker-log.ts";

/** Lines without a run in one minute; the next line says how many were left out. */
export const NOTICES_MAX = 60;
const MINUTE_MS = 60_000;

export function tellNotices(
  log: Pick<WorkerLog, "say">,
  now: () => number = Date.now,
): (notice: EngineNotice) => void {
  let [sinceMs, count] = [now(), 0];
  return ({ level, run, code }) => {
    if (level !== "warn" && level !== "error") return;
    const facts = { ...run, ...(code === undefined ? {} : { code }) };
    if (run !== undefined) return log.say(level, "engine.notice", facts);
    let left = 0;
    if (now() - sinceMs >= MINUTE_MS) {
      left = Math.max(0, count - NOTICES_MAX);
      [sinceMs, count] = [now(), 0];
    }
    count += 1;
    if (count > NOTICES_MAX) return;
    log.say(level, "engine.notice", { ...facts, ...(left === 0 ? {} : { left }) });
  };
}
