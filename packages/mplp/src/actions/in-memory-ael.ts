import { copyJson, type JsonValue, VALUE_BYTES_MAX } from "@turnseal/protocol";
import type { ActionExecutionLayer } from "./action-execution.ts";

/** Executes nothing, and says that it did: for tests, and to begin with. */
export class InMemoryAEL implements ActionExecutionLayer {
  async execute(action: JsonValue): Promise<JsonValue> {
    const copied = copyJson(action, VALUE_BYTES_MAX);
    if (copied.kind === "refused") throw new RangeError(`this action ${copied.reason}`);
    return { status: "executed", action: copied.value };
  }
}
