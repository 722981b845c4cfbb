/** Labels an item of a fan-out for people (spec/flow.md §5.8). */
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import type { CheckedNode } from "../../../definition/flow/checked-node.ts";
import { ITEM_LABEL_LENGTH_MAX } from "../../../limits.ts";

const FIELDS = ["label", "name", "title", "id", "key"] as const;

/** The label of an item of a list; undefined where nothing of it names it. */
export function labelItem(item: JsonValue): string | undefined {
  if (!isPlainObject(item)) return readLabel(item);
  for (const field of FIELDS) {
    const label = Object.hasOwn(item, field) ? readLabel(item[field]) : undefined;
    if (label !== undefined) return label;
  }
  return undefined;
}

/** The label of a branch. */
export function labelBranch(body: CheckedNode): string | undefined {
  return body.name ?? (body.kind === "call" ? body.loopId : undefined);
}

function readLabel(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value === "") return undefined;
  return value.slice(0, ITEM_LABEL_LENGTH_MAX).toWellFormed();
}
