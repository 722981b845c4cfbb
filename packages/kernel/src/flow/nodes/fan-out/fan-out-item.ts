import type { JsonObject, JsonValue } from "@turnseal/protocol";
import type { CheckedNode } from "../../../definition/flow/checked-node.ts";

/** What an item gave; null where it was skipped. */
export type ItemValue = JsonValue;

/** One item: what is run for it, and what it knows beside the rest. */
export interface FanOutItem {
  readonly body: CheckedNode;
  readonly known: JsonObject;
  /** Of its path, and of its place in the definition. */
  readonly segment: string;
  readonly placeSegment: string;
  /** What a person calls it by, where something names it. */
  readonly label: string | undefined;
  /** Where the list was computed. */
  readonly value?: JsonValue;
}
