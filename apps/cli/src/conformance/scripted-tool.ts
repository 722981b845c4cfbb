import type { ToolAction } from "@turnseal/conformance";
import type { Tool } from "@turnseal/ports";
import { isLoopError, isPlainObject, type JsonValue, type ToolContext } from "@turnseal/protocol";

/** What the suite wants to know about one call of a tool. */
export interface SeenToolCall {
  readonly tool: string;
  readonly input: JsonValue;
  /** The types of the events that the tool tried to emit and could not. */
  readonly refused: string[];
}

/** A tool that does what a script says, and reports each call of it. */
export function createScriptedTool(
  name: string,
  actions: readonly ToolAction[],
  report: (call: SeenToolCall) => void,
): Tool {
  return async (input, context) => {
    const call: SeenToolCall = { tool: name, input: structuredClone(input), refused: [] };
    report(call);
    for (const action of actions) {
      if (action.throw !== undefined) throw new Error(action.throw);
      if (action.echo) return input;
      if (action.return !== undefined) return action.return;
      if (action.waitMs !== undefined) await waitFor(action.waitMs);
      if (action.setInput !== undefined) setFields(input, action.setInput);
      speak(action, context, call);
    }
    return null;
  };
}

function speak({ log, emit }: ToolAction, context: ToolContext, call: SeenToolCall): void {
  // The level is sent as it is written in the script: what is no level must be refused.
  if (log !== undefined) context.log(log.level as Parameters<ToolContext["log"]>[0], log.message);
  if (emit === undefined) return;
  try {
    context.emit(emit.type, emit.payload);
  } catch (error) {
    if (!isLoopError(error)) throw error;
    call.refused.push(emit.type);
  }
}

function setFields(target: unknown, fields: Readonly<Record<string, JsonValue>>): void {
  if (!isPlainObject(target)) return;
  for (const [name, value] of Object.entries(fields)) {
    if (isPlainObject(value)) setFields(target[name], value as Record<string, JsonValue>);
    else target[name] = value;
  }
}

function waitFor(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
