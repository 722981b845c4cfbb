/**
 * Serves the exports of modules: agents, by the names that clients know, and perhaps a function
 * that authenticates.
 *
 *     export const agents = { support: { loop, grant, bounds, policy } };
 *     export const authenticate = (request) => ({ tenant, id, roles });
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isPlainObject } from "@turnseal/protocol";
import { isModule, listFiles } from "@turnseal/runtime/project";
import type { Agent, Authenticate } from "@turnseal/server";

export interface Served {
  readonly kind: "read";
  readonly agents: Readonly<Record<string, Agent>>;
  readonly authenticate?: Authenticate;
}

export type ServedReading = Served | { readonly kind: "unusable"; readonly message: string };

/** Agents of one server. */
export const AGENTS_MAX = 200;

const agentFields: ReadonlySet<string> = new Set(["loop", "grant", "bounds", "policy", "guidance"]);

/** Reads the modules among these paths; they were loaded before, for their loops. */
export async function readServed(paths: readonly string[]): Promise<ServedReading> {
  const listed = await listFiles(paths);
  if (listed.kind === "unusable") return listed;
  const agents = new Map<string, Agent>();
  let authenticate: Authenticate | undefined;
  for (const file of listed.files.filter(isModule)) {
    const exported: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(resolve(file)).href
    );
    const named = exported["agents"] ?? {};
    if (!isPlainObject(named)) return unusable(`the export agents of ${file} is not an object`);
    for (const [name, agent] of Object.entries(named)) {
      const problem = agents.has(name) ? "is exported twice" : findProblem(agent);
      if (problem !== undefined) return unusable(`the agent ${name} of ${file} ${problem}`);
      // Looked at above; what a grant or a policy must be, the host says before anything starts.
      agents.set(name, agent as unknown as Agent);
    }
    if (typeof exported["authenticate"] === "function")
      authenticate = exported["authenticate"] as Authenticate;
  }
  if (agents.size === 0) return unusable("no module exports agents");
  if (agents.size > AGENTS_MAX) return unusable(`there are more than ${AGENTS_MAX} agents`);
  const table = Object.fromEntries(agents);
  return { kind: "read", agents: table, ...(authenticate === undefined ? {} : { authenticate }) };
}

function findProblem(agent: unknown): string | undefined {
  if (!isPlainObject(agent)) return "is not an object";
  const unknown = Object.keys(agent).find((field) => !agentFields.has(field));
  if (unknown !== undefined) return `has an unknown field ${unknown}`;
  if (typeof agent["loop"] !== "object" || !("definition" in Object(agent["loop"])))
    return "has no loop";
  return isPlainObject(agent["grant"]) ? undefined : "has no grant";
}

function unusable(message: string): ServedReading {
  return { kind: "unusable", message };
}
