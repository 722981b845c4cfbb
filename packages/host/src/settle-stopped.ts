import { isLoopError } from "@turnseal/protocol";
import type { HoldingPorts } from "./held-run.ts";
import { holdRun } from "./hold-run.ts";
import { takeLateWords } from "./inbox/take-late-words.ts";

/**
 * Has a run that has stopped take in what was said of it since. Nothing acts and nothing is signed,
 * so that it takes neither loops nor a key. Whoever is overtaken leaves it to whoever came after,
 * who sees the same rows.
 */
export async function settleStopped(run: string, ports: HoldingPorts): Promise<void> {
  try {
    const holding = await holdRun(run, ports, {});
    if (holding.kind === "held") await takeLateWords(holding.held);
  } catch (error) {
    if (!isLoopError(error) || error.code !== "LOG_FENCED") throw error;
  }
}
