/** Dates and times, as RFC 3339 writes them. */

const datePattern = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const timePattern =
  /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;
const DATE_LENGTH = "2026-01-31".length;
const DAY_MINUTES = 24 * 60;

/** A day that the calendar has. */
export function isDate(text: string): boolean {
  const [, year, month, day] = (datePattern.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** A time of day with its distance from UTC. A leap second is the last of a day in UTC. */
export function isTime(text: string): boolean {
  const match = timePattern.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [offsetHour = 0, offsetMinute = 0] = match.slice(5).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  const offset = (match[4] === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const minuteOfDay = (hour * 60 + minute - offset + DAY_MINUTES) % DAY_MINUTES;
  return second < 60 || minuteOfDay === DAY_MINUTES - 1;
}

export function isDateTime(text: string): boolean {
  const divider = text.charAt(DATE_LENGTH);
  return (
    (divider === "T" || divider === "t") &&
    isDate(text.slice(0, DATE_LENGTH)) &&
    isTime(text.slice(DATE_LENGTH + 1))
  );
}
