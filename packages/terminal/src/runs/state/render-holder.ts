import { hostname } from "node:os";
import { LEASE_SILENCE_MS, type LeaseHolder } from "@turnseal/ports";
import { formatDuration } from "../../screen/format-duration.ts";

/** The process that holds a run, in words. */
export function describeHolder(holder: LeaseHolder): string {
  const { pid, machine, takenAt, heartbeatAt } = holder;
  const place = machine === hostname() ? "" : ` on ${machine}`;
  const silentMs = Math.max(Date.now() - Date.parse(heartbeatAt), 0);
  const silence = silentMs > LEASE_SILENCE_MS ? `, silent for ${formatDuration(silentMs)}` : "";
  return `process ${pid}${place} since ${takenAt}${silence}`;
}
