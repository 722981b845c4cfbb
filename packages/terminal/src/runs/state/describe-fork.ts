import type { RunSpec } from "@turnseal/protocol";

/** The run that a fork began from; undefined for any other run. */
export function describeFork(spec: RunSpec | null | undefined): string | undefined {
  const from = spec?.forkedFrom;
  if (from === undefined) return undefined;
  const sealed = from.receipt === undefined ? "which is not sealed" : `receipt ${from.receipt}`;
  return `from turn ${from.turn} of run ${from.run}, ${sealed}`;
}
