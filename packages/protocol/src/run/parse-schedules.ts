/**
 * The signals and schedules that a run waits for. Only a host knows whether a time can come, and
 * whether a time zone exists: it asks its calendar when a run starts.
 */

import { copyJson } from "../copy-json.ts";
import { isPlainText } from "../plain-text.ts";
import { hasOnly, type Is, isListOf } from "../shape.ts";

/** Names of signals that one run may wait for. */
export const AWAITS_MAX = 16;
/** Schedules of one run. */
export const SCHEDULES_MAX = 8;
/** UTF-16 units of the name of a signal. */
export const SIGNAL_NAME_LENGTH_MAX = 128;
/** Bytes of the payload of a schedule, as JSON: it is part of what the run is. */
export const SCHEDULE_PAYLOAD_BYTES_MAX = 4_096;

const zonePattern = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
/** Five fields: a schedule by the second would take turns faster than people can follow. */
const cronPattern = /^[0-9A-Za-z*,\-/#]{1,64}(?: [0-9A-Za-z*,\-/#]{1,64}){4}$/;

const isName: Is<string> = (value): value is string => isPlainText(value, SIGNAL_NAME_LENGTH_MAX);
const isCron: Is<string> = (value): value is string =>
  typeof value === "string" && cronPattern.test(value);
const isZone: Is<string> = (value): value is string =>
  typeof value === "string" && zonePattern.test(value);
const isPayload = (value: unknown): boolean =>
  copyJson(value, SCHEDULE_PAYLOAD_BYTES_MAX).kind !== "refused";

const areNames = isListOf(isName, { least: 1, most: AWAITS_MAX });
const areSchedules = isListOf(
  hasOnly({ name: isName, cron: isCron }, { timezone: isZone, payload: isPayload }),
  { least: 1, most: SCHEDULES_MAX },
);

export function isAwaits(value: unknown): boolean {
  return areNames(value) && areDifferent(value);
}

export function isSchedules(value: unknown): boolean {
  return areSchedules(value) && areDifferent(value.map(({ name }) => name));
}

function areDifferent(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
