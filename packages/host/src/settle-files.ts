import type { Roots } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import type { HoldingPorts } from "./held-run.ts";
import { holdRun } from "./hold-run.ts";
import { draftFileWord, isFileWord } from "./inbox/draft-file-word.ts";

/**
 * Has a run take in what a person said of its files, and nothing else. No turn goes on and nothing
 * is signed, so that it takes neither loops nor a key. Whoever is overtaken leaves it to whoever
 * came after, who sees the same rows.
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
    // Nothing may follow a stop: the rows stay.
    if (projection().stopped !== null) return;
    for (const kind of ["reconcile", "adopt"] as const)
      for (const row of await stores.inbox.peek(run, kind)) {
        const target = { appender, stores, projection, roots };
        const word = isFileWord(row) ? await draftFileWord(row, target) : undefined;
        if (word === undefined) continue;
        appender.push(() => word);
        appender.consume(row.key);
        await appender.flush();
      }
  } catch (error) {
    if (!isLoopError(error) || error.code !== "LOG_FENCED") throw error;
  }
}
