/** The loops of a server, by its pin. Nothing is started or asked before the first call. */
import { createRegistry } from "@turnseal/kernel";
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { checkServer } from "../config/parse-servers.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import type { PinnedTool, RefusedTool, ServerPin } from "../pins/pin.ts";
import { type McpToolPlace, mcpLoop } from "./mcp-loop.ts";
import { openPool } from "./server-pool.ts";

export type McpLoop = Loop<JsonObject, JsonValue>;

export interface McpTools {
  /** The loops `mcp.<server>.<tool>`, by the name of the tool on the server. */
  readonly tools: ReadonlyMap<string, McpLoop>;
  /** Pinned tools whose settings do not fit, with the reason. */
  readonly refused: readonly RefusedTool[];
  /** Closes the connections. A later call opens them again. */
  close(): Promise<void>;
}

/**
 * Makes loops of the pinned tools of a server. `discoverMcpServer` makes the pin.
 *
 * @example
 * const files = mcpTools("files", { command: ["node", "./server.js"] }, pin);
 * const agent = definePrompt({ ...header, tools: [...files.tools.values()] });
 */
export function mcpTools(server: string, config: McpServerConfig, pin: ServerPin): McpTools {
  const [fault] = checkServer(server, config);
  if (fault !== undefined) throw new TypeError(`${fault.message}: ${fault.mend}`);
  const pool = openPool({ name: server, config, pin });
  const tools = new Map<string, McpLoop>();
  const refused: RefusedTool[] = [];
  for (const tool of pin.tools.filter((one) => isOffered(one, config))) {
    const made = tryLoop(tool, { server, config, pin, pool });
    if (typeof made === "string") refused.push({ name: tool.name, why: made });
    else tools.set(tool.name, made);
  }
  refused.push(...listUnknown(config, pin));
  return { tools, refused, close: pool.close };
}

function isOffered({ name }: PinnedTool, { tools = {} }: McpServerConfig): boolean {
  return !Object.hasOwn(tools, name) || tools[name]?.offered !== false;
}

/** Settings for a tool that is not there protect nothing. */
function listUnknown({ tools = {} }: McpServerConfig, pin: ServerPin): RefusedTool[] {
  const known = new Set(pin.tools.map(({ name }) => name));
  return Object.keys(tools)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, why: "the pinned server has no such tool" }));
}

/** The loop, or why it is none. Schemas of a server are held to the limits of any other. */
export function tryLoop(tool: PinnedTool, place: McpToolPlace): McpLoop | string {
  try {
    const loop = mcpLoop(tool, place);
    const registered = createRegistry().register(loop.definition, { mode: "strict" });
    if (registered.kind === "registered") return loop;
    const [problem] = registered.problems;
    const { rule = "", path = "", message = "it is no loop" } = problem ?? {};
    return `${message} (${rule} at ${path})`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
