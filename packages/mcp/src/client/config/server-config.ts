/** A server as its operator describes it. */
import type { JsonObject } from "@turnseal/protocol";

/** No proxy is made for a server, so that none has the profile `network`. */
export const MCP_PROFILES = ["read-only", "workspace-write", "unrestricted"] as const;
export type McpProfile = (typeof MCP_PROFILES)[number];

interface ServerSettings {
  /**
   * Values that are secrets: by the variable of a process or the header of a request, the name of
   * the secret.
   */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * `annotations`: a tool that the server calls read-only is one. By default nothing is believed.
   */
  readonly trust?: "annotations";
  /** `not-done`: a call that the server answers with an error did nothing. */
  readonly errors?: "not-done";
  /** How long each call may take. */
  readonly timeoutMs?: number;
  /** What holds for single tools, by their names on the server. */
  readonly tools?: Readonly<Record<string, McpToolSettings>>;
}

/** A server that is a program on this machine. */
export interface McpProgram extends ServerSettings {
  /** `node` is the Node of this process. A part that begins with `./` is a file of the project. */
  readonly command: readonly string[];
  /** The folder that it sees as `/workspace`. By default an empty one. */
  readonly folder?: string;
  /** By default `read-only`. `unrestricted` has no sandbox at all. */
  readonly profile?: McpProfile;
  /** More folders that it may read, such as `./node_modules`. */
  readonly readable?: readonly string[];
  /** Its environment, which is empty otherwise. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A server behind an address. */
export interface McpAddress extends ServerSettings {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type McpServerConfig = McpProgram | McpAddress;

export interface McpToolSettings {
  /** Whether it may be called twice. By default `once`, with a `key` `idempotent`. */
  readonly effect?: "read" | "idempotent" | "once";
  /**
   * Where the server reads the key of an action: `args.<name>`, `meta:<name>` or `header:<name>`.
   */
  readonly key?: string;
  /** Arguments that the model neither sees nor chooses. */
  readonly provided?: JsonObject;
  readonly errors?: "not-done";
  readonly timeoutMs?: number;
  /** False for a tool that no loop may call. */
  readonly offered?: boolean;
}

export function isProgram(config: McpServerConfig): config is McpProgram {
  return "command" in config;
}
