/** Tools of the runtime itself: a model or a step calls them, and no function is bound to them. */
import type { JsonValue, ToolSpec } from "@turnseal/protocol";
import { admitTool } from "../actions/admit-tool.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";

import type { Outcome } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action, JudgedFacts } from "../step/action.ts";
import type { World } from "../world.ts";

export interface BuiltIn {
  readonly name: string;
  /** Decides by the grant whether the tool may be called. */
  admit(call: ToolCall): Outcome<Admitted>;
  run(call: ToolCall, admitted: Admitted): Promise<Outcome<JsonValue>>;
}

/** One call of a tool loop. */
export interface ToolCall {
  readonly loop: CheckedLoop;
  readonly spec: ToolSpec;
  readonly input: JsonValue;
  readonly frame: Frame;
  readonly world: World;
}

export interface Admitted {
  /** The terms of the grant that allow it. */
  readonly terms: readonly string[];
  /** The roles whose approval these terms want. */
  readonly approvals: readonly string[];
}

/** Admits a built-in tool that reads, under its own name. */
export function admitRead(name: string): BuiltIn["admit"] {
  return ({ loop: { definition }, input, frame }) => {
    const facts = { name, version: definition.version, effect: "read" };
    return admitTool(frame, facts, { args: input, needs: {} });
  };
}

interface ReadAction extends Omit<Action, "act" | "judged"> {
  readonly judged: JudgedFacts;
}

/** The action of a built-in tool that reads: one tool call, judged like any other. */
export function readAction(
  name: string,
  { loop: { definition }, input, frame }: ToolCall,
  { terms, approvals }: Admitted,
): ReadAction {
  const { id: loop, version } = definition;
  const { grant = {} } = frame;
  return {
    kind: "tool",
    name,
    ordinal: 0,
    effect: "read",
    facts: {
      action: "tool",
      tool: name,
      build: "builtin",
      term: name,
      ...(terms.length === 0 ? {} : { terms: [...terms] }),
    },
    request: input,
    reserve: () => ({ toolCalls: 1 }),
    attempt: { toolCalls: 1 },
    judged: {
      ...{ loop, tool: { name, version, effect: "read" }, args: input },
      ...{ grant, needs: {}, approvals },
    },
  };
}
