/**
 * A tool as people write it: one function with a schema, and an approval policy.
 *
 * 1. It becomes a tool of the AI SDK with `makeTool`, and a loop of ours with `toLoop`. In both,
 *    the same function decides whether a person must approve.
 * 2. A foreign agent loop learns of an approval by a thrown error, since it knows no other way. In
 *    a run it is a request in the log, and nothing is thrown.
 * 3. An absent approval policy counts as `ask`.
 */
import { type ApprovalPolicy, decideGate } from "../approval/tool-gate.ts";
import { buildOf } from "./build-of.ts";
import { defineTool, type ToolInput } from "./define-tool.ts";
import { jsonSchema, type SchemaSource } from "./json-schema-source.ts";
import type { DeclaredEffect, Loop, LoopHeader } from "./loop.ts";
import { ApprovalRequiredError, LoopsToolError } from "./loops-tool-error.ts";
import { notDone } from "./tool-error.ts";
import { type CheckingSchema, checkAtOnce, checkOnly, type ToolSchema } from "./tool-schema.ts";

/** The facts that `requestApproval` may use beside the input. */
export interface ApprovalContext {
  /** The mode from the tool's policy, such as `unsupervised`. */
  readonly mode: string;
}

/** The options of a tool's execution, beside its input. */
export interface LoopsToolOptions {
  /** Shows a piece of text to watchers. After the tool has returned it does nothing. */
  onToolOutputDelta(delta: string): void;
  readonly toolCallId: string;
  /** Aborted when the caller no longer waits for the tool. */
  readonly abortSignal: AbortSignal | undefined;
  /** In a run: the same for every attempt at this action. Elsewhere the id of the tool call. */
  readonly key: string;
  /** The secrets that the tool declares, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly mode: string;
}

export interface LoopsToolInput<Wire, Value, Output> {
  readonly name: string;
  readonly description: string;
  /** True when it changes nothing. */
  readonly readOnly: boolean;
  readonly inputSchema: ToolSchema<Wire, Value>;
  /**
   * The question for a person before it runs; null if it may run at once. Called only with the
   * policy `ask`. MUST be pure: the same for the same input and mode.
   */
  readonly requestApproval?: (input: Value, context: ApprovalContext) => string | null;
  readonly execute: (input: Value, options: LoopsToolOptions) => Output | Promise<Output>;
  /** Names of the secrets that it gets. */
  readonly secrets?: readonly string[];
}

/** The context of a tool in a foreign agent loop. */
export interface MakeToolContext {
  /** The mode for a tool without one in its policy. */
  readonly mode?: string;
  /** Called with every piece of text that the tool shows. */
  readonly onToolOutputDelta?: (
    delta: string,
    call: { readonly toolCallId: string; readonly toolName: string },
  ) => void;
  /** Where declared secrets come from. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A tool that fits `tools` of the AI SDK's `generateText` and `streamText`. */
export interface AiSdkTool<Wire, Output> {
  readonly description: string;
  readonly inputSchema: CheckingSchema<Wire>;
  execute(input: Wire, options: AiSdkCall): Promise<Output>;
}

/** The parts of an AI SDK call that matter here. */
export interface AiSdkCall {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Parts of a loop that a tool does not have. The effect is `once` unless the tool only reads, and
 * the version 1.0.0.
 */
export interface ToLoopOptions
  extends Partial<LoopHeader>,
    Omit<DeclaredEffect, "secrets">,
    Pick<ToolInput<never, unknown>, "implementation" | "config"> {
  /** The schema of its output. If absent, any value. */
  readonly output?: SchemaSource<unknown>;
}

export interface LoopsTool<Wire = unknown, Output = unknown> {
  readonly name: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly policy: ApprovalPolicy;
  readonly mode: string | undefined;
  /** A copy that is held to a policy in a mode. The tool itself stays as it is. */
  withApproval(policy: ApprovalPolicy, modeName: string): LoopsTool<Wire, Output>;
  makeTool(context?: MakeToolContext): AiSdkTool<Wire, Output>;
  /** The tool as a loop: what it does is claimed, approved, settled and sealed like any other. */
  toLoop(options?: ToLoopOptions): LoopOf<Wire, Output>;
}

// A tool of any kind gives a loop of any kind, which takes nothing that is known.
type LoopOf<Wire, Output> = unknown extends Wire ? Loop<never, Output> : Loop<Wire, Output>;

/** Tools by name. */
export type LoopsToolSet = Readonly<Record<string, LoopsTool>>;

/**
 * Defines a tool.
 *
 * @example
 * const writeFile = loopsTool({
 *   name: "write_file",
 *   description: "Write content to a file",
 *   readOnly: false,
 *   inputSchema: z.object({ path: z.string(), content: z.string() }),
 *   requestApproval: ({ path }) => `Write to ${path}?`,
 *   execute: async ({ path, content }) => fs.writeFile(path, content),
 * });
 */
export function loopsTool<Wire, Value, Output>(
  given: LoopsToolInput<Wire, Value, Output>,
): LoopsTool<Wire, Output> {
  return holdTo(given, "ask", undefined);
}

const MODE_DEFAULT = "default";

function holdTo<Wire, Value, Output>(
  given: LoopsToolInput<Wire, Value, Output>,
  policy: ApprovalPolicy,
  mode: string | undefined,
): LoopsTool<Wire, Output> {
  const { name, description, readOnly } = given;
  return {
    name,
    description,
    readOnly,
    policy,
    mode,
    withApproval: (next, modeName) => holdTo(given, next, modeName),
    makeTool: (context = {}) => ({
      description,
      inputSchema: checkOnly(given.inputSchema),
      execute: (input, call) =>
        executeFor(given, input, { policy, call, context, mode: mode ?? context.mode }),
    }),
    toLoop: (options = {}) =>
      // For a tool whose input is known, that is the loop's input too.
      toLoop(given, policy, { mode, ...options }) as unknown as LoopOf<Wire, Output>,
  };
}

interface Calling {
  readonly policy: ApprovalPolicy;
  readonly mode: string | undefined;
  readonly call: AiSdkCall;
  readonly context: MakeToolContext;
}

/** Executes a tool for a foreign agent loop, if it needs no approval. */
async function executeFor<Wire, Value, Output>(
  given: LoopsToolInput<Wire, Value, Output>,
  input: Wire,
  { policy, mode = MODE_DEFAULT, call, context }: Calling,
): Promise<Output> {
  const { name: toolName, requestApproval } = given;
  const { toolCallId, abortSignal } = call;
  const value = readParsed(toolName, await given.inputSchema["~standard"].validate(input));
  const request =
    requestApproval === undefined ? undefined : () => requestApproval(value, { mode });
  const gate = decideGate({ ...given, policy }, request);
  if (gate.kind === "blocked") throw new LoopsToolError("TOOL_BLOCKED", `${toolName} is blocked`);
  if (gate.kind === "ask") {
    const { description } = gate;
    throw new ApprovalRequiredError({ toolName, toolCallId, input, description });
  }
  const secrets = pickSecrets(given, context.secrets);
  let isOpen = true;
  const onToolOutputDelta = (delta: string): void => {
    if (isOpen) context.onToolOutputDelta?.(delta, { toolCallId, toolName });
  };
  const options = { onToolOutputDelta, toolCallId, abortSignal, key: toolCallId, secrets, mode };
  try {
    return await given.execute(value, options);
  } finally {
    isOpen = false;
  }
}

function toLoop<Wire, Value, Output>(
  given: LoopsToolInput<Wire, Value, Output>,
  policy: ApprovalPolicy,
  options: ToLoopOptions & { readonly mode: string | undefined },
): Loop<Wire, Output> {
  const { name, description, readOnly, inputSchema, execute, requestApproval, secrets } = given;
  const { mode = MODE_DEFAULT, ...rest } = options;
  return defineTool<Wire, Output>({
    id: name,
    version: "1.0.0",
    description,
    effect: readOnly ? "read" : "once",
    // The function that is bound looks the same for every tool.
    build: buildOf(execute),
    ...rest,
    ...(secrets === undefined ? {} : { secrets }),
    input: checkAtOnce(inputSchema),
    // Without `output`, only the type of the result is known, and any value passes.
    output: (rest.output ?? jsonSchema(true)) as SchemaSource<Output>,
    gate: (input) => {
      const request =
        requestApproval === undefined
          ? undefined
          : () => requestApproval(parseNow(given, input), { mode });
      return decideGate({ ...given, policy }, request);
    },
    run: async (input, { onToolOutputDelta, callId, signal, key, secrets: values }) => {
      const value = await parseForRun(given, input);
      return execute(value, {
        ...{ onToolOutputDelta, toolCallId: callId, abortSignal: signal, key, mode },
        secrets: values,
      });
    },
  });
}

/**
 * The input of a call in a run. This happens before the execution, so a schema that throws has no
 * effect.
 */
async function parseForRun<Wire, Value>(
  { name, inputSchema }: Pick<LoopsToolInput<Wire, Value, unknown>, "name" | "inputSchema">,
  input: Wire,
): Promise<Value> {
  try {
    return readParsed(name, await inputSchema["~standard"].validate(input));
  } catch {
    throw notDone(`${name} does not take this input`);
  }
}

/** The approval is decided at once, so a schema that answers later gives no answer. */
function parseNow<Value>(
  { name, inputSchema }: Pick<LoopsToolInput<unknown, Value, unknown>, "name" | "inputSchema">,
  input: unknown,
): Value {
  const answer = inputSchema["~standard"].validate(input);
  if (!(answer instanceof Promise)) return readParsed(name, answer);
  answer.catch(() => {});
  throw new LoopsToolError("TOOL_INPUT_REFUSED", `the schema of ${name} takes its time`);
}

type Parsed<Value> = Awaited<ReturnType<ToolSchema<never, Value>["~standard"]["validate"]>>;

function readParsed<Value>(name: string, answer: Parsed<Value>): Value {
  if (answer.issues === undefined) return answer.value;
  throw new LoopsToolError("TOOL_INPUT_REFUSED", `${name} does not take this input`);
}

/** The declared secrets, all of them, and no others. */
function pickSecrets(
  { name, secrets: names = [] }: Pick<LoopsToolInput<never, never, unknown>, "name" | "secrets">,
  values: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const picked = new Map<string, string>();
  for (const secret of names) {
    const value = Object.hasOwn(values, secret) ? values[secret] : undefined;
    if (value === undefined || value === "")
      throw new LoopsToolError("TOOL_SECRET_MISSING", `${name} needs the secret ${secret}`);
    picked.set(secret, value);
  }
  return Object.freeze(Object.fromEntries(picked));
}
