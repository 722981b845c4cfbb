import type { CheckedLoop, Registry } from "@turnseal/kernel";
import { computeBounds } from "@turnseal/runtime/project";
import { type Draft, timeStep } from "./case-report.ts";

/** Every registered loop is bounded: notes where it is not, and answers with its calls. */
export function checkBounds(loop: CheckedLoop, registry: Registry, draft: Draft): number {
  const bounds = timeStep(draft, () => computeBounds(loop, registry));
  const { calls, modelCalls, toolCalls, outputTokens, waits, events, activeMs } = bounds;
  const amounts = { calls, modelCalls, toolCalls, outputTokens, waits, events, activeMs };
  for (const [name, amount] of Object.entries(amounts))
    if (!Number.isSafeInteger(amount) || amount < 0)
      draft.problems.push(`it is registered, and its ${name} are ${amount}`);
  return calls;
}
