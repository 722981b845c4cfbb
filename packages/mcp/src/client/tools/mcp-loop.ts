/** One pinned tool of a server as a loop. */
import { type Digest, digestOf, type JsonObject, type JsonValue } from "@turnseal/protocol";
import {
  defineTool,
  jsonSchema,
  type Loop,
  notDone,
  type ToolContext,
} from "@turnseal/protocol/authoring";
import { isProgram, type McpServerConfig, type McpToolSettings } from "../config/server-config.ts";
import { digestPin, type PinnedTool, type ServerPin } from "../pins/pin.ts";
import { fillAnswer } from "./ask-person.ts";
import { bindArguments } from "./bind-arguments.ts";
import { checkCall } from "./check-call.ts";
import { PARTS_SCHEMA, readResult } from "./read-result.ts";
import type { ListedServer, ServerPool } from "./server-pool.ts";

export interface McpToolPlace {
  readonly server: string;
  readonly config: McpServerConfig;
  readonly pin: ServerPin;
  readonly pool: ServerPool;
}

/** How long a call may take, where its operator does not say. */
const CALL_MS_DEFAULT = 60_000;
/** For the answer of a call whose time is over. */
const ANSWER_MS = 500;

/** Throws a TypeError for settings that do not fit the tool. */
export function mcpLoop(tool: PinnedTool, place: McpToolPlace): Loop<JsonObject, JsonValue> {
  const { server, config, pin } = place;
  const settings = settingsOf(tool, config);
  const { key, provided } = settings;
  const bound = bindArguments(tool, settings);
  const id = `mcp.${server}.${tool.name}`;
  const digest = digestPin(tool, pin);
  return defineTool({
    ...{ id, version: "1.0.0", implementation: id, description: describe(tool) },
    build: digest,
    effect: decideEffect(tool, config, settings),
    policy: { timeoutMs: settings.timeoutMs ?? config.timeoutMs ?? CALL_MS_DEFAULT },
    config: {
      ...{ server, pin: digest, held: nameHold(config), settings: digestSettings(config) },
      ...(key === undefined ? {} : { key }),
      ...(provided === undefined ? {} : { provided }),
    },
    ...(config.secrets === undefined
      ? {}
      : { secrets: [...new Set(Object.values(config.secrets))] }),
    input: jsonSchema<JsonObject>(bound.schema),
    output: jsonSchema<JsonValue>(tool.outputSchema ?? PARTS_SCHEMA),
    run: async (input, context) => {
      const filled = bound.fill(input, context.key);
      const listed = await inTime(openChecked(tool, place, context), server, context);
      const isErrorUndone = (settings.errors ?? config.errors) === "not-done";
      const answered = fillAnswer(context.answered);
      const result = await listed.connection.callTool({
        ...{ name: tool.name, inputSchema: tool.inputSchema, ...filled, isErrorUndone },
        ...(answered === undefined ? {} : { answered }),
        ...{ signal: context.signal, timeoutMs: leftOf(context) },
        onProgress: (message) => context.onToolOutputDelta(`${message}\n`),
      });
      const isStructured = tool.outputSchema !== undefined;
      return readResult(result, { tool: id, isStructured, isErrorUndone, context });
    },
  });
}

async function openChecked(
  tool: PinnedTool,
  { server, pool }: McpToolPlace,
  { secrets }: ToolContext,
): Promise<ListedServer> {
  const listed = await pool.open(secrets);
  await checkCall(server, tool, listed);
  return listed;
}

/** Nothing is sent after the time of a call. Other calls may still wait for the same work. */
function inTime<T>(work: Promise<T>, server: string, context: ToolContext): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = () =>
    reject(
      notDone(`the server ${server} was not ready in the time of the call`, { mayRetry: true }),
    );
  const timer = setTimeout(stop, leftOf(context));
  if (context.signal.aborted) stop();
  context.signal.addEventListener("abort", stop, { once: true });
  work.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", stop);
  });
}

function settingsOf({ name }: PinnedTool, { tools = {} }: McpServerConfig): McpToolSettings {
  return Object.hasOwn(tools, name) ? (tools[name] ?? {}) : {};
}

/** The hints of a server count where its operator says so. A key makes a call repeatable. */
function decideEffect(
  { annotations }: PinnedTool,
  { trust }: McpServerConfig,
  { effect, key }: McpToolSettings,
): "read" | "idempotent" | "once" {
  if (effect !== undefined) return effect;
  if (trust === "annotations" && annotations?.["readOnlyHint"] === true) return "read";
  return key === undefined ? "once" : "idempotent";
}

function describe({ name, title, description }: PinnedTool): string {
  return description ?? title ?? name;
}

/** How its server is held, for the definition and so for each claim. */
function nameHold(config: McpServerConfig): string {
  return isProgram(config) ? (config.profile ?? "read-only") : "address";
}

/**
 * The settings that decide where a call goes and with what: an approval and a recorded definition
 * end with them. Secrets are named, and their values are in no digest.
 */
function digestSettings(config: McpServerConfig): Digest {
  const { secrets = {} } = config;
  if (!isProgram(config))
    return digestOf({ secrets, url: config.url, headers: config.headers ?? {} });
  const { command, folder = null, readable = [], env = {} } = config;
  return digestOf({ secrets, command: [...command], folder, readable: [...readable], env });
}

function leftOf({ deadlineAt }: ToolContext): number {
  return Math.max(1, Date.parse(deadlineAt) - Date.now() - ANSWER_MS);
}
