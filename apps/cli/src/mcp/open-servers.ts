/** The servers of a project, for commands about them. */
import { type McpProject, readMcpProject } from "@turnseal/runtime/project";
import { EXIT_CODES } from "../exit-codes.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";

export interface FileOptions {
  readonly file: string;
}

export async function openServers(options: FileOptions): Promise<McpProject> {
  const read = await readMcpProject(options.file);
  return accept(read, { next: "turnseal mcp add <name> -- <command>" });
}

/** The settings of one server. */
export function findServer({ servers }: McpProject, name: string, { file }: FileOptions) {
  const config = servers.get(name);
  if (config !== undefined) return config;
  const known = [...servers.keys()].join(", ");
  throw new RefusalError(`${file} has no server ${name}: it has ${known}`, "turnseal mcp list");
}

/** The answer of a server. A server that cannot be asked is a refusal. */
export async function askServer<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new RefusalError(`${name}: ${message}`, "turnseal mcp list", EXIT_CODES.failed);
  }
}
