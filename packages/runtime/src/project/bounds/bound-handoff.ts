import type { CheckedLoop } from "@turnseal/kernel";
import {
  HANDOFF_TOOL,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  parseBounds,
} from "@turnseal/protocol";
import { AMOUNT_MAX, type Counts, NOTHING } from "./bounds.ts";

interface Called {
  readonly loopId: string;
  readonly loopVersion: string | undefined;
}

/** The most for the run that a handoff starts: no more than its budget. */
export function boundHandoff(
  { definition: { tool } }: CheckedLoop,
  boundRun: (called: Called, turnsMax: number) => Counts,
): Counts {
  if (tool?.implementation !== HANDOFF_TOOL) return NOTHING.runs;
  const { loop: loopId, version, bounds = {}, grant } = tool.config ?? {};
  const run = parseBounds(bounds);
  // An unreadable handoff is denied when it is requested.
  if (typeof loopId !== "string" || "problem" in run) return NOTHING.runs;
  const loopVersion = typeof version === "string" ? version : undefined;
  const counts = boundRun({ loopId, loopVersion }, run.turnsMax ?? AMOUNT_MAX);
  return holdByBudget(counts, readBudget(grant));
}

function readBudget(grant: JsonValue | undefined): JsonObject {
  const budget = isPlainObject(grant) ? grant["budget"] : undefined;
  return isPlainObject(budget) ? (budget as JsonObject) : {};
}

function holdByBudget(counts: Counts, budget: JsonObject): Counts {
  const hold = <Amount extends number | null>(amount: Amount, unit: string): Amount | number => {
    const most = budget[unit];
    return typeof most === "number" ? Math.min(amount ?? most, most) : amount;
  };
  return {
    ...counts,
    modelCalls: hold(counts.modelCalls, "modelCalls"),
    toolCalls: hold(counts.toolCalls, "toolCalls"),
    inputTokens: hold(counts.inputTokens, "inputTokens"),
    outputTokens: hold(counts.outputTokens, "outputTokens"),
    moneyMicros: hold(counts.moneyMicros, "moneyMicros"),
  };
}
