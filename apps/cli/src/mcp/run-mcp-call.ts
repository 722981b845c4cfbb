import type { ExitCode } from "../exit-codes.ts";
import { runRun } from "../runs/start/run-run.ts";
import type { InputOptions } from "../terminal/read-input.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type FileOptions, findServer, openServers } from "./open-servers.ts";

export interface McpCallOptions extends FileOptions, InputOptions {
  readonly store?: string;
  readonly json?: boolean;
}

/** `turnseal mcp call`: a run of one tool, with its log and its receipt. */
export async function runMcpCall(
  server: string,
  tool: string,
  { file, ...options }: McpCallOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  findServer(await openServers({ file }), server, { file });
  const loop = `mcp.${server}.${tool}`;
  // One call, and another for each answer that the server may ask for.
  const granted = { allow: loop, budget: "toolCalls=17", turnsMax: 1 };
  return runRun(loop, { ...options, ...granted, from: [file], content: true }, surroundings);
}
