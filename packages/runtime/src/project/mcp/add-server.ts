/** Adds a server to the file of servers of a project. */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseTomlText, readText } from "@turnseal/documents";
import type { McpServerConfig } from "@turnseal/mcp";

export type AddedServer =
  | { readonly kind: "added"; readonly text: string }
  | { readonly kind: "refused"; readonly message: string };

/** The file keeps all that was in it: the table of the server is added at its end. */
export async function addServer(
  file: string,
  name: string,
  config: McpServerConfig,
): Promise<AddedServer> {
  const { parseServers } = await import("@turnseal/mcp");
  const read = await readText(file);
  const isNew = read.kind === "refused" && read.message === "the file does not exist";
  if (read.kind === "refused" && !isNew) return { kind: "refused", message: read.message };
  const before = read.kind === "read" ? read.text : "";
  const table = renderServer(name, config);
  const text = before.trim() === "" ? table : `${before.trimEnd()}\n\n${table}`;
  const parsed = parseTomlText(text);
  if (parsed.kind === "refused") return { kind: "refused", message: parsed.problem.message };
  const servers = parseServers(parsed.value);
  if (servers.kind === "refused")
    return { kind: "refused", message: servers.faults.map(({ message }) => message).join("; ") };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return { kind: "added", text: table };
}

function renderServer(name: string, config: McpServerConfig): string {
  const lines = Object.entries(config).map(([field, value]) => `${field} = ${renderValue(value)}`);
  return [`[servers.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]`, ...lines, ""].join(
    "\n",
  );
}

/** A text of JSON is one of TOML. */
function renderValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([field, part]) => `${JSON.stringify(field)} = ${renderValue(part)}`,
  );
  return `{ ${fields.join(", ")} }`;
}
