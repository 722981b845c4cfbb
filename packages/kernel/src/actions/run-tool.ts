/** The body of a tool loop: one tool execution. */
import type { JsonObject, JsonValue, ToolSpec } from "@turnseal/protocol";
import type { Frame } from "../frame.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { World } from "../world.ts";
import { boundsOf, runBounded } from "./run-bounded.ts";
import { settleAction } from "./settle-action.ts";
import { openToolContext } from "./tool-context.ts";

const noConfig: JsonObject = {};

/** Executes the tool that the operator bound to the name. What it answers is not checked here. */
export async function runTool(
  spec: ToolSpec,
  input: JsonValue,
  frame: Frame,
  world: World,
): Promise<Outcome<unknown>> {
  const tool = world.tools.get(spec.implementation);
  if (tool === undefined) {
    return fail("TOOL_FAILED", `no function is bound to ${spec.implementation}`);
  }
  const deadlineAt = new Date(frame.deadlineAt).toISOString();
  const claimedMs = frame.record({
    type: "action.claimed",
    content: { action: "tool", tool: spec.implementation, deadlineAt },
  });
  const { config = noConfig } = spec;
  let close = (): void => {};
  const bounded = await runBounded(boundsOf(frame, world), (signal) => {
    const open = openToolContext(frame, { signal, deadlineAt, config });
    close = open.close;
    return tool(input, open.context);
  });
  close();
  if (bounded.kind === "done") {
    frame.recordSince(claimedMs, (durationMs) => ({
      type: "action.settled",
      content: { action: "tool", status: "ok", durationMs },
    }));
    return succeed(bounded.value);
  }
  return settleAction(bounded, { action: "tool", name: spec.implementation, claimedMs }, frame);
}
