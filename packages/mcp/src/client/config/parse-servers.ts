/**
 * Servers from a foreign value, such as a file of the project.
 *
 * 1. An unknown field is refused: a mistyped limit would be no limit.
 * 2. A secret is sent to no address that others on the way can read.
 */
import { isPlainObject, type JsonObject } from "@turnseal/protocol";
import { type Check, hasOnly, isCountWithin, isListOf, isOneOf } from "@turnseal/protocol/shape";
import { SERVERS_MAX } from "../limits.ts";
import { parseActionKey } from "./action-key.ts";
import { MCP_PROFILES, type McpServerConfig } from "./server-config.ts";

/** A mistake in it, with a JSON Pointer to its place. */
export interface ServerFault {
  readonly path: string;
  readonly message: string;
  readonly mend: string;
}

export type ParsedServers =
  | { readonly kind: "parsed"; readonly servers: ReadonlyMap<string, McpServerConfig> }
  | { readonly kind: "refused"; readonly faults: readonly ServerFault[] };

const NAME = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const NAME_LENGTH_MAX = 32;
const TIMEOUT_MS_MAX = 24 * 60 * 60 * 1000;

/** True for a name of a server: it is part of the name of each of its tools. */
export function isServerName(name: string): boolean {
  return NAME.test(name) && name.length <= NAME_LENGTH_MAX;
}

/** Reads the table `servers`. */
export function parseServers(value: unknown): ParsedServers {
  const tables = isPlainObject(value) ? value["servers"] : undefined;
  if (!isPlainObject(value) || !isPlainObject(tables) || Object.keys(value).length > 1)
    return refuse("", "the file has not one table `servers`", "write [servers.<name>]");
  const entries = Object.entries(tables);
  if (entries.length > SERVERS_MAX)
    return refuse("/servers", `there are more than ${SERVERS_MAX} servers`, "use another file");
  const faults = entries.flatMap(([name, config]) => checkServer(name, config));
  if (faults.length > 0) return { kind: "refused", faults };
  return { kind: "parsed", servers: new Map(entries as [string, McpServerConfig][]) };
}

function refuse(path: string, message: string, mend: string): ParsedServers {
  return { kind: "refused", faults: [{ path, message, mend }] };
}

const isText: Check = (value) =>
  typeof value === "string" && value !== "" && value.length <= 4_096 && !value.includes("\0");
const isTexts = isListOf(isText as (value: unknown) => value is string, { most: 256 });
const isTable: Check = (value) =>
  isPlainObject(value) &&
  Object.entries(value).every(([name, text]) => /^[\w-]{1,128}$/.test(name) && isText(text));
const isTime = isCountWithin({ least: 1, most: TIMEOUT_MS_MAX });
const isKey: Check = (value) => typeof value === "string" && parseActionKey(value) !== undefined;

const settings = {
  ...{ secrets: isTable, trust: isOneOf(["annotations"]), errors: isOneOf(["not-done"]) },
  ...{ timeoutMs: isTime, tools: isPlainObject as Check },
};
const hasProgram = hasOnly(
  { command: isListOf(isText as (value: unknown) => value is string, { least: 1, most: 256 }) },
  {
    ...settings,
    ...{ folder: isText, profile: isOneOf(MCP_PROFILES), readable: isTexts, env: isTable },
  },
);
const hasAddress = hasOnly({ url: isText }, { ...settings, headers: isTable });
const hasTool = hasOnly(
  {},
  {
    ...{ effect: isOneOf(["read", "idempotent", "once"]), key: isKey, provided: isPlainObject },
    ...{ errors: isOneOf(["not-done"]), timeoutMs: isTime },
    offered: (value: unknown) => typeof value === "boolean",
  },
);

/** The mistakes of one server. */
export function checkServer(name: string, config: unknown): ServerFault[] {
  const path = `/servers/${name}`;
  if (!isServerName(name))
    return [{ path, message: `${name} is no name of a server`, mend: "use a-z, 0-9, - and _" }];
  if (!hasProgram(config) && !hasAddress(config))
    return [
      {
        path,
        message: `${name} is neither a \`command\` nor a \`url\` with its settings`,
        mend: 'write command = ["node", "./server.js"], or url = "https://host/mcp"',
      },
    ];
  const {
    url,
    secrets,
    tools = {},
  } = config as unknown as JsonObject & {
    readonly tools?: Readonly<Record<string, unknown>>;
  };
  return [
    ...(typeof url === "string" ? checkUrl(url, { path, hasSecrets: secrets !== undefined }) : []),
    ...Object.entries(tools).flatMap(([tool, given]) => checkTool(given, `${path}/tools/${tool}`)),
    ...checkHeaders(tools, typeof url === "string", path),
  ];
}

function checkTool(given: unknown, path: string): ServerFault[] {
  if (hasTool(given)) return [];
  const mend = 'use effect, key, provided, errors, timeoutMs, offered; key = "args.<name>"';
  return [{ path, message: "the tool has a setting that there is not, or a wrong one", mend }];
}

function checkHeaders(
  tools: Readonly<Record<string, unknown>>,
  isAddress: boolean,
  path: string,
): ServerFault[] {
  if (isAddress) return [];
  return Object.entries(tools).flatMap(([tool, given]) => {
    const key = isPlainObject(given) ? given["key"] : undefined;
    if (typeof key !== "string" || !key.startsWith("header:")) return [];
    const message = "a program gets no headers";
    return [{ path: `${path}/tools/${tool}/key`, message, mend: "use args.<name> or meta:<name>" }];
  });
}

interface UrlPlace {
  readonly path: string;
  readonly hasSecrets: boolean;
}

function checkUrl(text: string, { path, hasSecrets }: UrlPlace): ServerFault[] {
  const url = URL.parse(text);
  const at = `${path}/url`;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hash !== "")
    return [{ path: at, message: "the URL is no address of a server", mend: "use https://" }];
  if (url.username !== "" || url.password !== "")
    return [{ path: at, message: "the URL holds a password", mend: "name it under secrets" }];
  if (url.protocol === "https:" || !hasSecrets || isLoopback(url.hostname)) return [];
  const message = "a secret would be sent without encryption";
  return [{ path: at, message, mend: "use https://" }];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
