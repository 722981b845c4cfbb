import { LogError } from "@turnseal/kernel";
import type { FoundRun } from "./run-options.ts";

/**
 * Restricts a run to a worker that takes it at this epoch. It may have waited for a slot meanwhile:
 * then the sender may have given up, and another worker may act.
 */
export function holdToEpoch(found: FoundRun, epoch: number): FoundRun {
  const { ports } = found;
  const { log } = ports.stores;
  let isTaken = false;
  const takeEpoch: typeof log.takeEpoch = async (run, key) => {
    const head = isTaken ? undefined : await log.readHead(run);
    if (!isTaken && head?.epoch !== epoch)
      throw new LogError("LOG_FENCED", `epoch ${epoch} is over: epoch ${head?.epoch} is`);
    isTaken = true;
    return log.takeEpoch(run, key);
  };
  const stores = { ...ports.stores, log: { ...log, takeEpoch } };
  return { ...found, ports: { ...ports, stores } };
}
