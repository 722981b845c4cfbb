import type { WaitingRequest } from "@turnseal/host";
import { isPlainObject } from "@turnseal/protocol";
import { FILES_BUILD } from "@turnseal/protocol/authoring";
import { formatDuration } from "../screen/format-duration.ts";

/** From what the tool declares, and not from prose: only a compensation is a promise. */
export function describeUndo({
  compensation,
  irreversible,
  undo,
  effect,
}: WaitingRequest["facts"]): string {
  if (isPlainObject(compensation)) {
    const { loop, effect: own, withinMs, build } = compensation;
    if (build === FILES_BUILD) return `yes, by turnseal rollback: files, as they were before it`;
    const until =
      typeof withinMs === "number" ? `for ${formatDuration(withinMs)} after it` : "at any time";
    return `yes, by turnseal rollback, ${until}: ${loop} (${own})`;
  }
  if (typeof irreversible === "string") return `no: ${irreversible}`;
  if (effect === "read") return "not needed";
  return typeof undo === "string" ? `no, only by hand: ${undo}` : "no compensation is declared";
}
