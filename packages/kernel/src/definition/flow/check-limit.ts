import type { Report } from "../report.ts";

/** Refuses a number that is above a named maximum. */
export function checkLimit(
  value: number | undefined,
  { most, path, report }: { readonly most: number; readonly path: string; readonly report: Report },
  mend = `write at most ${most}`,
): void {
  if (value === undefined || value <= most) return;
  const message = `${value} is more than ${most}`;
  report.refuse({ rule: "flow-limit", path, message, mend });
}
