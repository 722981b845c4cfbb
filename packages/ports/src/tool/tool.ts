import type { JsonValue, ToolFunction } from "@turnseal/protocol";

/**
 * A function of the operator's, bound to the name in a tool loop.
 *
 * It MUST answer with plain JSON, or throw. It SHOULD stop when `context.signal` is aborted: from
 * then on nobody waits for it, and what it says later is not heard. It MUST NOT keep `context`
 * after it has answered.
 */
export type Tool = ToolFunction<JsonValue, unknown>;
