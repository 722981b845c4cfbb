/** Tools as people write them, for the suite: their declared approval, and the result. */
import type { DeclaredTool } from "@turnseal/conformance/program";
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import {
  type ApprovalPolicy,
  ApprovalRequiredError,
  type GateAnswer,
  LoopsToolError,
  loopsTool,
  type ToolSchema,
} from "@turnseal/protocol/authoring";

/** A schema that takes everything. */
const anything: ToolSchema<JsonValue> = {
  "~standard": {
    version: 1,
    vendor: "suite",
    validate: (value) => ({ value: value as JsonValue }),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  },
};

interface ApprovingTool {
  readonly name: string;
  readonly readOnly: boolean;
  /** The tool's question: a text, null for none; if absent the tool declares none. */
  readonly request?: JsonValue;
}

/** The tool, with its requests and executions. */
function createTool({ name, readOnly, request }: ApprovingTool) {
  const modes: string[] = [];
  let executed = 0;
  const tool = loopsTool({
    name,
    description: name,
    readOnly,
    inputSchema: anything,
    ...(request === undefined
      ? {}
      : {
          requestApproval: (_: JsonValue, { mode }: { readonly mode: string }) => {
            modes.push(mode);
            // A careless tool may answer with neither a text nor null.
            return request as string | null;
          },
        }),
    execute: () => {
      executed += 1;
      return "done";
    },
  });
  return { tool, modes, executed: () => executed };
}

/** Makes the gate of a scripted tool. */
export function gateOf(
  name: string,
  readOnly: boolean,
  { policy, mode = "suite", ...said }: NonNullable<DeclaredTool["approval"]>,
): (input: JsonValue) => GateAnswer {
  const { tool } = createTool({ name, readOnly, ...said });
  const { gate } = tool.withApproval(policy as ApprovalPolicy, mode).toLoop();
  return (input) => gate?.(input) ?? { kind: "blocked" };
}

/** Executes a tool once under a policy, outside of any run. */
export async function judgeTool(given: JsonObject): Promise<object> {
  const { readOnly, policy, mode = "suite", request } = given;
  const { tool, modes, executed } = createTool({
    name: "write_file",
    readOnly: readOnly === true,
    ...(request === undefined ? {} : { request }),
  });
  const held = tool.withApproval(policy as ApprovalPolicy, String(mode));
  const outcome = await execute(() => held.makeTool().execute({}, { toolCallId: "call" }));
  return {
    ...outcome,
    executed: executed(),
    asked: modes,
    original: { policy: tool.policy, mode: tool.mode ?? null },
    copy: { policy: held.policy, mode: held.mode ?? null },
  };
}

async function execute(act: () => Promise<unknown>): Promise<object> {
  try {
    return { outcome: "ran", result: await act() };
  } catch (error) {
    if (error instanceof ApprovalRequiredError)
      return { outcome: "asks", description: error.description };
    if (error instanceof LoopsToolError) return { outcome: "blocked" };
    throw error;
  }
}
