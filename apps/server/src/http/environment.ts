/** Facts about a request that middleware finds before its route runs. */
import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Caller, SessionHost } from "@turnseal/sessions";

export interface ServerEnvironment {
  /** The connection, where the server is Node's own. */
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: { caller: Caller; host: SessionHost };
}

export type ServerApp = OpenAPIHono<ServerEnvironment>;
