import { digestPin, mcpTools } from "@turnseal/mcp";
import type { McpProject } from "@turnseal/runtime/project";
import { line, toned, writeJson } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type FileOptions, openServers } from "./open-servers.ts";

export interface McpListOptions extends FileOptions {
  readonly json?: boolean;
}

interface ListedServer {
  readonly name: string;
  readonly from: string;
  readonly isPinned: boolean;
  readonly tools: readonly { name: string; effect: string; pin: string }[];
  readonly refused: readonly { name: string; why: string }[];
}

/** `turnseal mcp list`: the servers and their pinned tools. */
export async function runMcpList(
  options: McpListOptions,
  { terminal: { out } }: Surroundings,
): Promise<ExitCode> {
  const project = await openServers(options);
  const servers = [...project.servers.keys()].map((name) => listServer(name, project));
  if (options.json) {
    writeJson(out, { servers }, 2);
    return EXIT_CODES.done;
  }
  for (const { name, from, isPinned, tools, refused } of servers) {
    const state = isPinned ? toned("good", "pinned") : toned("bad", "not pinned");
    out.writeLine(line(toned("strong", name), "  ", from, "  ", state));
    for (const tool of tools)
      out.writeLine(line("  ", `mcp.${name}.${tool.name}`, "  ", toned("faint", tool.effect)));
    for (const { name: tool, why } of refused)
      out.writeLine(line("  ", toned("warning", `${tool}: ${why}`)));
  }
  return EXIT_CODES.done;
}

function listServer(name: string, { servers, pins }: McpProject): ListedServer {
  const config = servers.get(name);
  const pin = pins.get(name);
  const from = config === undefined ? "" : "url" in config ? config.url : config.command.join(" ");
  if (config === undefined || pin === undefined)
    return { name, from, isPinned: false, tools: [], refused: [] };
  const made = mcpTools(name, config, pin);
  const tools = pin.tools.flatMap((tool) => {
    const effect = made.tools.get(tool.name)?.declared?.effect;
    return effect === undefined ? [] : [{ name: tool.name, effect, pin: digestPin(tool, pin) }];
  });
  return { name, from, isPinned: true, tools, refused: [...pin.refused, ...made.refused] };
}
