/** A measured size: above `warned` it is worth a look, above `refused` it fails. */
export interface SizeRule {
  readonly what: string;
  readonly warned: number;
  readonly refused: number;
}

/** The measures that are refused, as lines. */
export function checkSizes(rule: SizeRule, measures: ReadonlyMap<string, number>): string[] {
  return [...measures]
    .filter(([, measure]) => measure > rule.refused)
    .map(([key, measure]) => `${key}: ${measure} ${rule.what}, more than ${rule.refused}`);
}

/** The measures that deserve a look but are not refused, largest first, as lines. */
export function warnOfSizes(rule: SizeRule, measures: ReadonlyMap<string, number>): string[] {
  return [...measures]
    .filter(([, measure]) => measure > rule.warned && measure <= rule.refused)
    .sort(([, left], [, right]) => right - left)
    .map(([key, measure]) => `${key}: ${measure} ${rule.what}`);
}
