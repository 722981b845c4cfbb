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
  /** `ask` unless it is said: a person approves each call. */
  readonly approval?: ApprovalPolicy;
  /** What the person is asked; `Run <name>?` unless it is said. Null needs no approval. */
  readonly requestApproval?: (input: JsonObject) => string | null;
  /** For a tool whose description is a function of its context. */
  readonly description?: string;
  /** What the tool is given as `context`. */
  readonly context?: unknown;
}

/**
 * Makes a loop of a tool of the AI SDK: whatever it does is claimed, approved, settled and sealed.
 * Nobody knows what such a tool does when it is called twice, so that it acts at most once and a
 * person approves it, unless the options say otherwise. When it throws, nobody knows whether it
 * acted, and a person is asked, unless it throws `notDone`. Its `needsApproval` and `toModelOutput`
 * are for the AI SDK's own loop, and are not looked at.
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
    // What the schema gives is what the tool would be executed with.
    ...(requestApproval === undefined
      ? {}
      : { requestApproval: (input: unknown) => requestApproval(input as JsonObject) }),
  };
  const build = loop.build ?? buildOf(execute as () => unknown);
  return loopsTool(given)
    .withApproval(approval, "run")
    .toLoop({ ...loop, build });
}

/** The last of several results is the one that counts. No result is null. */
async function readResult(result: unknown): Promise<unknown> {
  if (typeof Object(result)[Symbol.asyncIterator] !== "function") return result ?? null;
  let last: unknown = null;
  for await (const next of result as AsyncIterable<unknown>) last = next;
  return last ?? null;
}
