/** The two files about MCP servers in a folder of loops. */
import { basename, dirname, join } from "node:path";

/** The servers, as their operator describes them. */
export const MCP_FILE = "mcp.toml";
/** The tools of these servers that a person has reviewed. It is written by a command. */
export const PINS_FILE = "mcp.pins.json";

export function isMcpFile(file: string): boolean {
  return basename(file) === MCP_FILE;
}

/** The pins beside a file of servers. */
export function pinsOf(file: string): string {
  return join(dirname(file), PINS_FILE);
}
