import type { McpServerConfig } from "@turnseal/mcp";
import { addServer } from "@turnseal/runtime/project";
import { line, renderNext } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { FileOptions } from "./open-servers.ts";

export interface McpAddOptions extends FileOptions {
  readonly url?: string;
  readonly folder?: string;
  readonly profile?: "read-only" | "workspace-write" | "unrestricted";
  readonly readable?: readonly string[];
}

/** `turnseal mcp add`: the file is written, and nothing is started. */
export async function runMcpAdd(
  name: string,
  command: readonly string[],
  options: McpAddOptions,
  { terminal: { out } }: Surroundings,
): Promise<ExitCode> {
  const config = readConfig(name, command, options);
  const added = await addServer(options.file, name, config);
  if (added.kind === "refused")
    throw new RefusalError(`${options.file}: ${added.message}`, "turnseal mcp list");
  // The whole command, as it would be started.
  for (const text of added.text.trimEnd().split("\n")) out.writeLine(line("  ", text));
  out.writeLine(line(`added to ${options.file}`));
  out.writeLine(renderNext(`turnseal mcp pin ${name}`));
  return EXIT_CODES.done;
}

function readConfig(
  name: string,
  command: readonly string[],
  { url, folder, profile, readable }: McpAddOptions,
): McpServerConfig {
  const next = `turnseal mcp add ${name} -- node ./server.js`;
  if ((url === undefined) === (command.length === 0))
    throw new RefusalError("a server has a command after -- or a --url, and not both", next);
  const held = {
    ...(folder === undefined ? {} : { folder }),
    ...(profile === undefined ? {} : { profile }),
    ...(readable === undefined ? {} : { readable }),
  };
  if (url === undefined) return { command, ...held };
  if (Object.keys(held).length > 0)
    throw new RefusalError("--folder, --profile and --readable are for a command", next);
  return { url };
}
