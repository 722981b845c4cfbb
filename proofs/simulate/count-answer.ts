import type { LoopEvent } from "@turnseal/protocol";
import type { Tally } from "./tally.ts";

/** Counts what people were asked and said, and what was refused them. */
export function countAnswer({ type, content }: LoopEvent, tally: Tally): void {
  if (type.startsWith("approval.") || type.startsWith("question.")) tally.count(`answer ${type}`);
  if (type === "signal.received" && content.kind === "refused")
    tally.count(`answer refused ${content.why}`);
  if (type === "call.errored") {
    const { denial, rule } = content.details;
    if (denial !== undefined) tally.count(`answer denied ${denial}`);
    if (rule?.id === "deny-total") tally.count("answer total denied");
  }
}
