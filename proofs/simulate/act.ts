import type { Effect, JsonValue } from "@turnseal/protocol";

/** What is about to happen outside. */
export interface Act {
  readonly key: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly args: JsonValue;
  /** What people are shown of it, where that is less than its arguments. */
  readonly shown?: JsonValue;
}
