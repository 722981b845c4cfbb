/** The review of a server: what it offers now, beside what was pinned. */

import { writeFile } from "node:fs/promises";
import type { Difference, McpServerConfig, ServerPin } from "@turnseal/mcp";
import { digestOf } from "@turnseal/protocol";
import { pickVariables } from "../tool-secrets.ts";
import { pinsOf } from "./mcp-files.ts";
import type { McpProject } from "./read-mcp-project.ts";

export interface ServerReview {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly before: ServerPin | undefined;
  readonly now: ServerPin;
  /** The digest of all that is offered now: a person accepts exactly this. */
  readonly digest: string;
  readonly differences: readonly Difference[];
  readonly revision: string;
  /** What the server calls itself. */
  readonly claims: string;
}

/** Asks the server for its tools. Throws where it cannot be asked. */
export async function reviewServer(
  name: string,
  config: McpServerConfig,
  pins: McpProject["pins"],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServerReview> {
  const { discoverMcpServer, listDifferences } = await import("@turnseal/mcp");
  const names = Object.values(config.secrets ?? {});
  const secrets = pickVariables(names, environment) as Readonly<Record<string, string>>;
  const { pin: now, revision, claims } = await discoverMcpServer(name, config, secrets);
  const before = pins.get(name);
  const differences = before === undefined ? [] : listDifferences(before, now);
  const digest = digestOf(now).replace(/^sha256:/, "");
  return { name, config, before, now, digest, differences, revision, claims };
}

/** Writes the pin of a reviewed server beside the file of servers. */
export async function writePin(
  file: string,
  { pins }: McpProject,
  { name, now }: ServerReview,
): Promise<void> {
  const { renderPins } = await import("@turnseal/mcp");
  await writeFile(pinsOf(file), renderPins(new Map([...pins, [name, now]])));
}
