/**
 * The pinned tools of the servers of a project, as loops.
 *
 * A server without a pin has no tools: a person has not reviewed them.
 */
import type { Finding, ReadFile, Source } from "@turnseal/documents";
import type { McpServerConfig } from "@turnseal/mcp";
import { readExports } from "../files/read-module.ts";
import { type McpProject, readMcpProject } from "./read-mcp-project.ts";

export async function readMcpTools(file: string): Promise<ReadFile> {
  const project = await readMcpProject(file);
  if (project.kind === "refused") return { sources: [], findings: project.findings };
  const sources: Source[] = [];
  const findings: Finding[] = [];
  for (const [name, config] of project.servers) {
    const read = await readServer({ name, config, file }, project);
    sources.push(...read.sources);
    findings.push(...read.findings);
  }
  return { sources, findings };
}

interface NamedServer {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly file: string;
}

async function readServer(
  { name, config, file }: NamedServer,
  { pins, problemAt }: McpProject,
): Promise<ReadFile> {
  const pin = pins.get(name);
  const at = `/servers/${name}`;
  if (pin === undefined) {
    const message = `the tools of the server ${name} have not been reviewed`;
    const mend = `review them with turnseal mcp pin ${name}`;
    return { sources: [], findings: [problemAt(at, { rule: "mcp-unpinned", message, mend })] };
  }
  const { mcpTools } = await import("@turnseal/mcp");
  const { tools, refused } = mcpTools(name, config, pin);
  const findings = refused.map(({ name: tool, why }) =>
    problemAt(`${at}/tools/${tool}`, {
      rule: "mcp-server",
      message: `the tool ${tool} of the server ${name} cannot be a loop: ${why}`,
      mend: "change its settings, or set offered = false",
    }),
  );
  const loops = [...tools.values()].map((loop) => [loop.definition.id, loop] as const);
  if (loops.length === 0) return { sources: [], findings };
  return { ...readExports(file, Object.fromEntries(loops)), findings };
}
