import { isPlainObject, type JsonObject } from "../canonical-json.ts";
import { readSource } from "./step-sources.ts";

/**
 * What a step of a plan gives to its loop, where all of it stands in the plan; undefined where it
 * reads another step, is no step, or is of another loop (spec/plan.md §3.4).
 */
export function findExactInput(
  { steps }: JsonObject,
  { index, loop }: { readonly index: number; readonly loop: string },
): JsonObject | undefined {
  const step = Array.isArray(steps) ? steps[index] : undefined;
  if (!isPlainObject(step) || step["loop"] !== loop) return undefined;
  const { input = {} } = step;
  if (!isPlainObject(input)) return undefined;
  const isExact = Object.values(input).every((value) => readSource(value).kind === "constant");
  return isExact ? (input as JsonObject) : undefined;
}
