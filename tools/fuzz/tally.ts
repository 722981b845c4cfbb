/** Counts outcomes by the way in which cases were broken. */
export interface Tally {
  add(kind: string, outcomes: readonly string[]): void;
  render(): string[];
  counts(): Record<string, Record<string, number>>;
}

export function createTally(): Tally {
  const kinds = new Map<string, { cases: number; outcomes: Map<string, number> }>();
  return {
    add: (kind, outcomes) => {
      const row = kinds.get(kind) ?? { cases: 0, outcomes: new Map() };
      row.cases++;
      for (const outcome of outcomes) {
        row.outcomes.set(outcome, (row.outcomes.get(outcome) ?? 0) + 1);
      }
      kinds.set(kind, row);
    },
    render: () =>
      [...kinds]
        .sort(byName)
        .flatMap(([kind, { cases, outcomes }]) => [
          `${kind} (${cases})`,
          ...[...outcomes].sort(byName).map(([name, count]) => `  ${name.padEnd(40)} ${count}`),
        ]),
    counts: () =>
      Object.fromEntries(
        [...kinds].map(([kind, { outcomes }]) => [kind, Object.fromEntries(outcomes)]),
      ),
  };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
