/** What a request has been found to be, before its route looks at it. */
import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Caller } from "../identity/caller.ts";
import type { SessionHost } from "../session-host.ts";

export interface ServerEnvironment {
  /** The connection, where the server is Node's own. */
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: { caller: Caller; host: SessionHost };
}

export type ServerApp = OpenAPIHono<ServerEnvironment>;
