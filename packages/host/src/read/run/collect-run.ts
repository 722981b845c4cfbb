import type { Stores } from "@turnseal/ports";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { collectEvents } from "../../state/load-projection.ts";

/**
 * Everything that a stranger needs to check a run: its events, and its receipts as they were
 * signed.
 */
export interface CollectedRun {
  readonly run: string;
  readonly events: readonly LoopEvent[];
  readonly receipts: readonly string[];
}

export async function collectRun(
  { log, receipts }: Pick<Stores, "log" | "receipts">,
  run: string,
): Promise<CollectedRun> {
  const events = await collectEvents(log, run, 1);
  const texts: string[] = [];
  for (let from = 1; ; ) {
    const page = await receipts.list(run, from);
    texts.push(...page.map(({ envelope }) => canonicalize(envelope)));
    const last = page.at(-1);
    if (last === undefined) return { run, events, receipts: texts };
    from = last.turn + 1;
  }
}
