import type { RunSpec } from "@turnseal/protocol";

/** Where a run was forked from, or nothing for one that was not. */
export function describeFork(spec: RunSpec | null | undefined): string | undefined {
  const from = spec?.forkedFrom;
  if (from === undefined) return undefined;
  const sealed = from.receipt === undefined ? "which is not sealed" : `receipt ${from.receipt}`;
  return `from turn ${from.turn} of run ${from.run}, ${sealed}`;
}
