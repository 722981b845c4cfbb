export { discoverMcpServer, mcpTools } from "@turnseal/mcp";
