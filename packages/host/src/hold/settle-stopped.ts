import { isLoopError } from "@turnseal/protocol";
import { takeLateResolutions } from "../inbox/take-late-resolutions.ts";
import type { HoldingPorts } from "../state/held-run.ts";
import { holdRun } from "./hold-run.ts";

/**
 * Has a stopped run take in later answers. No action runs and nothing is signed, so it needs
 * neither loops nor a key. If another worker takes the run over, that one sees the same rows.
 */
export async function settleStopped(run: string, ports: HoldingPorts): Promise<void> {
  try {
    const holding = await holdRun(run, ports, {});
    if (holding.kind === "held") await takeLateResolutions(holding.held);
  } catch (error) {
    if (!isLoopError(error) || error.code !== "LOG_FENCED") throw error;
  }
}
