import type { Roots } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import { draftFileAnswer, isFileAnswer } from "../inbox/draft-file-answer.ts";
import type { HoldingPorts } from "../state/held-run.ts";
import { holdRun } from "./hold-run.ts";

/**
 * Has a run take in the answers about its files, and nothing else. No turn goes on and nothing is
 * signed, so that it takes neither loops nor a key. If another worker takes the run over, that one
 * sees the same rows.
 */
export async function settleFiles(
  run: string,
  ports: HoldingPorts & { readonly roots: Roots | undefined },
): Promise<void> {
  const { stores, roots } = ports;
  try {
    const holding = await holdRun(run, ports, {});
    if (holding.kind !== "held") return;
    const { appender, projection } = holding.held;
    // No event may follow a stop: the rows stay.
    if (projection().stopped !== null) return;
    for (const kind of ["reconcile", "adopt"] as const)
      for (const row of await stores.inbox.peek(run, kind)) {
        const target = { appender, stores, projection, roots };
        const word = isFileAnswer(row) ? await draftFileAnswer(row, target) : undefined;
        if (word === undefined) continue;
        appender.push(() => word);
        appender.consume(row.key);
        await appender.flush();
      }
  } catch (error) {
    if (!isLoopError(error) || error.code !== "LOG_FENCED") throw error;
  }
}
