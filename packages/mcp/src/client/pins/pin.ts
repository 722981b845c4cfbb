/** A pin: what a person has seen of a server's tools. It is data, for version control. */
import { type Digest, digestOf, type JsonObject } from "@turnseal/protocol";
import type { ProtocolEra } from "../wire/connection.ts";

/** A tool as its server defined it. Everything else that a server says of it is dropped. */
export interface PinnedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** Which server it is, by what it cannot choose itself. */
export type ServerIdentity =
  | {
      readonly kind: "program";
      readonly command: readonly string[];
      /** Digests of the files that the command names. */
      readonly files: Readonly<Record<string, string>>;
    }
  | { readonly kind: "address"; readonly url: string };

export interface RefusedTool {
  readonly name: string;
  readonly why: string;
}

export interface ServerPin {
  readonly identity: ServerIdentity;
  readonly era: ProtocolEra;
  readonly tools: readonly PinnedTool[];
  /** Tools of the server that cannot be a loop. They are not called. */
  readonly refused: readonly RefusedTool[];
}

/** The digest of one pinned tool: the `build` of its loop, which each claim names. */
export function digestPin(tool: PinnedTool, { identity, era }: ServerPin): Digest {
  return digestOf({ tool, server: { identity, era } });
}
