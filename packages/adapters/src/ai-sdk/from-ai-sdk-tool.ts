import type { JsonObject } from "@turnseal/protocol";
import {
  type ApprovalPolicy,
  AuthoringError,
  buildOf,
  type Loop,
  type LoopsToolInput,
  loopsTool,
  type ToLoopOptions,
} from "@turnseal/protocol/authoring";
import { readToolSchema } from "./read-tool-schema.ts";

/** A tool of the AI SDK, as far as it matters here. */
export interface AiSdkToolLike {
  readonly description?: unknown;
  readonly inputSchema: unknown;
  readonly execute?: unknown;
}

export interface FromAiSdkOptions extends Omit<ToLoopOptions, "description"> {
  /** `ask` by default: a person approves each call. */
  readonly approval?: ApprovalPolicy;
  /** Returns the question to the person; `Run <name>?` by default. Null needs no approval. */
  readonly requestApproval?: (input: JsonObject) => string | null;
  /** For a tool whose description is a function of its context. */
  readonly description?: string;
  /** The `context` of each execution. */
  readonly context?: unknown;
}

/**
 * Makes a loop of a tool of the AI SDK: each of its effects is claimed, approved, settled and
 * sealed. It is unknown what such a tool does when it is called twice. So it acts at most once, and
 * a person approves it, unless the options say otherwise. When it throws, it may have acted, so a
 * person resolves it, unless it throws `notDone`. Its `needsApproval` and `toModelOutput` are for
 * the AI SDK's own loop, and are not used.
 *
 * @example
 * const loop = fromAiSdkTool("send_mail", sendMail);
 */
export function fromAiSdkTool(
  name: string,
  tool: AiSdkToolLike,
  options: FromAiSdkOptions = {},
): Loop<JsonObject, unknown> {
  const { approval = "ask", requestApproval, context, description, ...loop } = options;
  const { execute } = tool;
  if (typeof execute !== "function")
    throw new AuthoringError("TOOL_UNUSABLE", `${name} has no function: it is executed elsewhere`);
  const given: LoopsToolInput<JsonObject, unknown, unknown> = {
    name,
    description: description ?? (typeof tool.description === "string" ? tool.description : name),
    readOnly: loop.effect === "read",
    inputSchema: readToolSchema(name, tool.inputSchema),
    execute: async (input, { toolCallId, abortSignal }) =>
      readResult(await execute(input, { toolCallId, abortSignal, messages: [], context })),
    // The tool would be executed with the schema's output.
    ...(requestApproval === undefined
      ? {}
      : { requestApproval: (input: unknown) => requestApproval(input as JsonObject) }),
  };
  const build = loop.build ?? buildOf(execute as () => unknown);
  return loopsTool(given)
    .withApproval(approval, "run")
    .toLoop({ ...loop, build });
}

/** The last of several results counts. An absent result becomes null. */
async function readResult(result: unknown): Promise<unknown> {
  if (typeof Object(result)[Symbol.asyncIterator] !== "function") return result ?? null;
  let last: unknown = null;
  for await (const next of result as AsyncIterable<unknown>) last = next;
  return last ?? null;
}
