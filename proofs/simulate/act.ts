import type { Effect, JsonValue } from "@turnseal/protocol";

/** What is about to happen outside. */
export interface Act {
  readonly key: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly args: JsonValue;
  /** The part of it that people are shown, where that is less than its arguments. */
  readonly shown?: JsonValue;
}
