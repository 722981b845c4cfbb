export {
  type ParsedServers,
  parseServers,
  type ServerFault,
} from "./client/config/parse-servers.ts";
export type {
  McpAddress,
  McpProgram,
  McpServerConfig,
  McpToolSettings,
} from "./client/config/server-config.ts";
export { showHidden } from "./client/pins/find-hidden.ts";
export { type Difference, listDifferences } from "./client/pins/list-differences.ts";
export { parsePins, renderPins } from "./client/pins/parse-pins.ts";
export {
  digestPin,
  type PinnedTool,
  type RefusedTool,
  type ServerIdentity,
  type ServerPin,
} from "./client/pins/pin.ts";
export { type DiscoveredServer, discoverMcpServer } from "./client/tools/discover-server.ts";
export { type McpLoop, type McpTools, mcpTools } from "./client/tools/mcp-tools.ts";
