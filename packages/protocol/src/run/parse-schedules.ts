/**
 * What a run waits for, from outside. Whether a time can come, and whether a time zone is known,
 * only a host can say: it asks its own calendar when a run starts.
 */
import { isPlainObject } from "../canonical-json.ts";
import { copyJson } from "../copy-json.ts";
import { isPlainText } from "../plain-text.ts";

/** Names of signals that one run may wait for. */
export const AWAITS_MAX = 16;
/** Schedules of one run. */
export const SCHEDULES_MAX = 8;
/** UTF-16 units of the name of a signal. */
export const SIGNAL_NAME_LENGTH_MAX = 128;
/** Bytes of the payload of a schedule, as JSON: it is part of what the run is. */
export const SCHEDULE_PAYLOAD_BYTES_MAX = 4_096;

export function isAwaits(value: unknown): boolean {
  return isListOf(value, AWAITS_MAX, isName) && new Set(value).size === value.length;
}

export function isSchedules(value: unknown): boolean {
  if (!isListOf(value, SCHEDULES_MAX, isPlainObject)) return false;
  const names = value.map((schedule) => (schedule as { name?: unknown }).name);
  return value.every(isSchedule) && new Set(names).size === value.length;
}

function isSchedule(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { name, cron, timezone, payload = null, ...unknown } = value;
  return (
    isName(name) &&
    isCron(cron) &&
    (timezone === undefined || (typeof timezone === "string" && zonePattern.test(timezone))) &&
    copyJson(payload, SCHEDULE_PAYLOAD_BYTES_MAX).kind !== "refused" &&
    Object.keys(unknown).length === 0
  );
}

const zonePattern = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
/** Five fields: a schedule by the second would take turns faster than anybody can follow. */
const cronPattern = /^[0-9A-Za-z*,\-/#]{1,64}(?: [0-9A-Za-z*,\-/#]{1,64}){4}$/;

function isCron(value: unknown): boolean {
  return typeof value === "string" && cronPattern.test(value);
}

function isName(value: unknown): boolean {
  return isPlainText(value, SIGNAL_NAME_LENGTH_MAX);
}

function isListOf(
  value: unknown,
  most: number,
  isGood: (item: unknown) => boolean,
): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && value.length <= most && value.every(isGood);
}
