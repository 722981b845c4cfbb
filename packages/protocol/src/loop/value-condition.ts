import { canonicalize, type JsonValue } from "../canonical-json.ts";
import { parsePath, readPath } from "./path.ts";

/** A condition on one value: that it is equal to another, or a number of at least another. */
export type ValueCondition =
  | { readonly path: string; readonly equals: JsonValue }
  | { readonly path: string; readonly atLeast: number };

/** Whether it holds for what the path leads to from `root`. A path to nothing meets nothing. */
export function meetsCondition(condition: ValueCondition, root: JsonValue): boolean {
  const parsed = parsePath(condition.path);
  if (parsed.kind === "refused") return false;
  const found = readPath(root, parsed.segments);
  if (found.kind !== "value") return false;
  if ("equals" in condition) return canonicalize(found.value) === canonicalize(condition.equals);
  return typeof found.value === "number" && found.value >= condition.atLeast;
}
