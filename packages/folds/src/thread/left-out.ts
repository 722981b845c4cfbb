import type { JsonValue } from "@turnseal/protocol";

/** The placeholder for a result that was left out. */
export const LEFT_OUT: JsonValue = { leftOut: "to make room" };
