import type { JsonObject, JsonValue } from "@turnseal/protocol";
import type { CheckedNode } from "../../../definition/flow/checked-node.ts";

/** The result of an item; null where it was skipped. */
export type ItemValue = JsonValue;

/** One item: its body, and its own known names. */
export interface FanOutItem {
  readonly body: CheckedNode;
  readonly known: JsonObject;
  /** Of its path, and of its place in the definition. */
  readonly segment: string;
  readonly placeSegment: string;
  /** Its label for people, if it has one. */
  readonly label: string | undefined;
  /** Where the list was computed. */
  readonly value?: JsonValue;
}
