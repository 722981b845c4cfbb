/**
 * Periods of the calendar, in UTC (spec/grant.md §7.2).
 *
 * The names of one kind have the order of their times as texts, so that a later period is known
 * without a calendar.
 */
export const PERIOD_KINDS = ["hour", "day", "week", "month"] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** Something for each kind of period, or for some of them. */
export type ByPeriod<Item> = Readonly<Partial<Record<PeriodKind, Item>>>;

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_OF_WEEK = 7;
/** Counted from Sunday, as the language does. */
const THURSDAY = 4;

/** The name of the period of a kind in which an instant lies. */
export function periodOf(kind: PeriodKind, instant: string): string {
  switch (kind) {
    case "hour":
      return instant.slice(0, "2026-11-15T22".length);
    case "day":
      return instant.slice(0, "2026-11-15".length);
    case "week":
      return weekOf(instant);
    case "month":
      return instant.slice(0, "2026-11".length);
  }
}

/** The week of ISO 8601: it begins on Monday, and belongs to the year of its Thursday. */
function weekOf(instant: string): string {
  const date = new Date(instant);
  const weekday = date.getUTCDay() || DAYS_OF_WEEK;
  const thursday = new Date(date.getTime() + (THURSDAY - weekday) * DAY_MS);
  const year = thursday.toISOString().slice(0, "2026".length);
  const days = (thursday.getTime() - Date.parse(`${year}-01-01T00:00:00.000Z`)) / DAY_MS;
  const week = Math.floor(days / DAYS_OF_WEEK) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/** The kinds of periods that have a value, in the order of their list. */
export function kindsOf(some: ByPeriod<unknown> | undefined): PeriodKind[] {
  return PERIOD_KINDS.filter((kind) => some?.[kind] !== undefined);
}

/**
 * The periods that an event records: the names of those at its time, for the kinds with a cap;
 * nothing if there is no cap.
 */
export function periodFacts(
  caps: ByPeriod<unknown> | undefined,
  instant: string,
): { periods?: Record<string, string> } {
  const names = kindsOf(caps).map((kind) => [kind, periodOf(kind, instant)] as const);
  return names.length === 0 ? {} : { periods: Object.fromEntries(names) };
}
