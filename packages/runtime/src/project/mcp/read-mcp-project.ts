/** Reads the servers of a project and their pins. No server is started. */
import { type Finding, parseJsonText, parseTomlText, readText } from "@turnseal/documents";
import type { McpServerConfig, ServerPin } from "@turnseal/mcp";
import { pinsOf } from "./mcp-files.ts";

export interface McpProject {
  readonly kind: "read";
  readonly servers: ReadonlyMap<string, McpServerConfig>;
  readonly pins: ReadonlyMap<string, ServerPin>;
  /** The problem at a JSON Pointer of the file of servers. */
  problemAt(path: string, problem: Pick<Finding, "rule" | "message" | "mend">): Finding;
}

export type McpReading =
  | McpProject
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/** An absent file of pins has none. */
export async function readMcpProject(file: string): Promise<McpReading> {
  const read = await readText(file);
  if (read.kind === "refused") return refuse({ ...read, file, path: "" });
  const parsed = parseTomlText(read.text);
  if (parsed.kind === "refused")
    return refuse({ ...parsed.problem, file, position: parsed.position });
  const { parseServers } = await import("@turnseal/mcp");
  const problemAt: McpProject["problemAt"] = (path, problem) => ({
    ...{ ...problem, file, path, position: parsed.locate(path) },
  });
  const servers = parseServers(parsed.value);
  if (servers.kind === "refused") {
    const findings = servers.faults.map(({ path, message, mend }) =>
      problemAt(path, { rule: "mcp-server", message, mend }),
    );
    return { kind: "refused", findings };
  }
  const pins = await readPins(pinsOf(file));
  if (pins.kind === "refused") return pins;
  return { kind: "read", servers: servers.servers, pins: pins.pins, problemAt };
}

function refuse({ rule, path, file, message, mend, position }: Finding): McpReading {
  const place = position === undefined ? { file } : { file, position };
  return { kind: "refused", findings: [{ ...place, rule, path, message, mend }] };
}

type ReadPins =
  | { readonly kind: "pins"; readonly pins: ReadonlyMap<string, ServerPin> }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

async function readPins(file: string): Promise<ReadPins> {
  const { parsePins } = await import("@turnseal/mcp");
  const read = await readText(file);
  if (read.kind === "refused" && read.message === "the file does not exist")
    return { kind: "pins", pins: new Map() };
  const parsed = read.kind === "read" ? parseJsonText(read.text) : undefined;
  const pins = parsed?.kind === "parsed" ? parsePins(parsed.value) : undefined;
  if (pins !== undefined) return { kind: "pins", pins };
  const message = "the file is no file of pins: it was changed by hand, or cut off";
  const mend = "restore it from version control, or delete it and review each server again";
  return { kind: "refused", findings: [{ file, path: "", rule: "mcp-unpinned", message, mend }] };
}
