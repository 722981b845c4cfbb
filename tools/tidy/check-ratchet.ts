/** What may be measured against a limit with listed exceptions that only shrink. */
export interface RatchetRule {
  readonly what: string;
  /** Above it a measure must be listed. */
  readonly limit: number;
  /** Above it no entry helps. */
  readonly ceiling: number;
}

/**
 * Compares measures with the limit and the list. An entry holds today's figure to the unit: a
 * larger one is growth, a smaller one must be written down, and one that is no longer needed must
 * go.
 */
export function checkRatchet(
  rule: RatchetRule,
  measures: ReadonlyMap<string, number>,
  listed: Readonly<Record<string, number>>,
): string[] {
  const problems: string[] = [];
  for (const [key, measure] of measures) {
    const entry = Object.hasOwn(listed, key) ? listed[key] : undefined;
    const reason = judge(rule, measure, entry);
    if (reason !== undefined) problems.push(`${key}: ${measure} ${rule.what}, ${reason}`);
  }
  for (const key of Object.keys(listed)) {
    if (!measures.has(key)) problems.push(`${key}: no such thing, remove its entry`);
  }
  return problems;
}

function judge(rule: RatchetRule, measure: number, entry: number | undefined): string | undefined {
  if (measure > rule.ceiling) return `never more than ${rule.ceiling}`;
  if (entry === undefined) return measure > rule.limit ? `more than ${rule.limit}` : undefined;
  if (measure <= rule.limit) return "remove its entry";
  if (measure > entry) return `it was ${entry} and may only shrink`;
  return measure < entry ? `lower its entry from ${entry}` : undefined;
}
