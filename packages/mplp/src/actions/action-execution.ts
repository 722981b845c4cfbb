import type { JsonValue } from "@turnseal/protocol";

/** Executes actions for programs that do not know how: one way for every effect. */
export interface ActionExecutionLayer {
  /**
   * Executes an action and answers with its result. A failed action MUST be thrown, and MUST NOT
   * keep the next one from being executed. An action that is no JSON MUST be refused, and nothing
   * done.
   */
  execute(action: JsonValue): Promise<JsonValue>;
}
