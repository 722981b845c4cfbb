/** The body of a tool loop: one tool execution. */
import type { ToolBinding } from "@turnseal/ports";
import { type JsonObject, type JsonValue, type ToolSpec, takeJson } from "@turnseal/protocol";
import type { Frame } from "../frame.ts";
import type { ActGiven, Action, Answer } from "../journal/action.ts";
import { OUTPUT_BYTES_MAX } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { World } from "../world.ts";
import { openToolContext } from "./tool-context.ts";

const noConfig: JsonObject = {};

/** Executes the tool that the operator bound to the name, if it may be executed. */
export async function runTool(
  spec: ToolSpec,
  input: JsonValue,
  frame: Frame,
  world: World,
): Promise<Outcome<JsonValue>> {
  const name = spec.implementation;
  const tool = world.tools.get(name);
  if (tool === undefined) return fail("TOOL_FAILED", `no function is bound to ${name}`);
  const denial = world.admitTool(name, frame.wallMs());
  if (denial !== undefined)
    return fail("POLICY_DENIED", `${name} is not allowed: ${denial}`, { denial });

  const outcome = await world.journal.run(frame, toolAction(spec, tool, input, frame));
  if (outcome.kind !== "ok") return outcome;
  const { result, facts } = outcome.value;
  const refused = facts["refused"];
  if (typeof refused !== "string") return succeed(result);
  return fail("OUTPUT_VALIDATION_FAILED", `${name} answered with what is not plain JSON`, {
    problems: [refused],
  });
}

function toolAction(spec: ToolSpec, tool: ToolBinding, input: JsonValue, frame: Frame): Action {
  const { implementation: name, config = noConfig } = spec;
  const { effect, build, reconcile } = tool;
  return {
    kind: "tool",
    name,
    ordinal: 0,
    effect,
    facts: { tool: name, build, term: name },
    request: input,
    reserve: () => ({ toolCalls: 1, ...(effect === "read" ? {} : { effects: 1 }) }),
    attempt: { toolCalls: 1 },
    act: (given) => executeTool(tool, input, { frame, given, config }),
    ...(reconcile === undefined ? {} : { reconcile: async (...asked) => reconcile(...asked) }),
  };
}

interface Execution {
  readonly frame: Frame;
  readonly given: ActGiven;
  readonly config: JsonObject;
}

async function executeTool(
  { run, effect }: ToolBinding,
  input: JsonValue,
  { frame, given, config }: Execution,
): Promise<Answer> {
  const { context, close } = openToolContext(frame, { ...given, config });
  try {
    const taken = takeJson(await run(input, context), OUTPUT_BYTES_MAX);
    const spent = { toolCalls: 1, ...(effect === "read" ? {} : { effects: 1 }) };
    if (taken.kind === "taken") return { result: taken.value, facts: {}, spent };
    return { result: null, facts: { refused: taken.reason }, spent };
  } finally {
    close();
  }
}
