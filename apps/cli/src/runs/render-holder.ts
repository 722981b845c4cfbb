import { hostname } from "node:os";
import { isSilent, type LeaseHolder } from "@turnseal/runtime/folder";
import { formatDuration } from "../terminal/format-duration.ts";

/** Who carries a run, in words. */
export function describeHolder(holder: LeaseHolder): string {
  const { pid, machine, takenAt, heartbeatAt } = holder;
  const place = machine === hostname() ? "" : ` on ${machine}`;
  const silentMs = Math.max(Date.now() - Date.parse(heartbeatAt), 0);
  const silence = isSilent(holder) ? `, silent for ${formatDuration(silentMs)}` : "";
  return `process ${pid}${place} since ${takenAt}${silence}`;
}
