import { isPlainObject, type JsonObject } from "../canonical-json.ts";
import { readSource } from "./step-sources.ts";

/**
 * The input that a step of a plan gives to its loop, if the plan holds all of it; undefined if it
 * reads another step, is no step, or has another loop (spec/plan.md §3.4).
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
