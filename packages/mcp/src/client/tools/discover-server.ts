/** Asks a server for its tools. It calls none. */
import { notDone } from "@turnseal/protocol/authoring";
import type { McpServerConfig } from "../config/server-config.ts";
import { CONNECT_MS_MAX } from "../limits.ts";
import { identifyServer } from "../pins/identify-server.ts";
import type { PinnedTool, RefusedTool, ServerPin } from "../pins/pin.ts";
import { readTool } from "../pins/read-tool.ts";
import { connectServer } from "../wire/connect-server.ts";
import { tryLoop } from "./mcp-tools.ts";

export interface DiscoveredServer {
  readonly pin: ServerPin;
  /** The revision of the protocol. */
  readonly revision: string;
  /** What the server calls itself: a claim, and nothing more. */
  readonly claims: string;
}

/**
 * Connects to a server and reads its tools. A person reviews the pin before it is used.
 *
 * @example
 * const { pin } = await discoverMcpServer("files", { command: ["node", "./server.js"] });
 */
export async function discoverMcpServer(
  server: string,
  config: McpServerConfig,
  secrets: Readonly<Record<string, string>> = {},
): Promise<DiscoveredServer> {
  const identity = identifyServer(config);
  const signal = AbortSignal.timeout(CONNECT_MS_MAX);
  const connection = await connectServer(config, { secrets, signal });
  try {
    const listed = await connection.listTools(signal);
    const { era, revision, claims } = connection;
    const pin = sortTools(server, listed, { identity, era });
    return { pin: refuseUnfit(server, pin), revision, claims };
  } finally {
    await connection.close();
  }
}

function sortTools(
  server: string,
  listed: readonly unknown[],
  { identity, era }: Pick<ServerPin, "identity" | "era">,
): ServerPin {
  const tools = new Map<string, PinnedTool>();
  const refused: RefusedTool[] = [];
  for (const foreign of listed) {
    const read = readTool(server, foreign);
    if (read.kind === "refused") refused.push({ name: read.name, why: read.why });
    else if (tools.has(read.tool.name))
      throw notDone(`the server ${server} has several tools with the name ${read.tool.name}`);
    else tools.set(read.tool.name, read.tool);
  }
  const sorted = [...tools.values()].sort(({ name: one }, { name: other }) =>
    one < other ? -1 : 1,
  );
  return { identity, era, tools: sorted, refused };
}

/** Without the settings of the operator: they may be mended later, and the tool stays the same. */
function refuseUnfit(server: string, pin: ServerPin): ServerPin {
  const pool = { open: () => Promise.reject(new Error()), close: async () => {} };
  const config: McpServerConfig = { url: "https://localhost/" };
  const judged = pin.tools.map((tool) => ({
    tool,
    made: tryLoop(tool, { server, config, pin, pool }),
  }));
  const unfit = judged.flatMap(({ tool: { name }, made }) =>
    typeof made === "string" ? [{ name, why: made }] : [],
  );
  const tools = judged.flatMap(({ tool, made }) => (typeof made === "string" ? [] : [tool]));
  return { ...pin, tools, refused: [...pin.refused, ...unfit] };
}
