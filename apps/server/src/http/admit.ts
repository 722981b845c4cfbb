/** The checks of every request, in order: its sender, its rate, and its run. */
import { isUuid } from "@turnseal/protocol";
import type { Caller, Refusal } from "@turnseal/sessions";
import { type FindTenant, hasRun } from "@turnseal/sessions";
import type { MiddlewareHandler } from "hono";
import type { Authenticate } from "../identity/caller.ts";
import type { ServerEnvironment } from "./environment.ts";
import { refuse, toResponse } from "./refusal.ts";
import type { RequestWindow } from "./request-window.ts";

type Admission = MiddlewareHandler<ServerEnvironment>;

/** An answer is never a page, and no cache may store it. */
const answerHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export const secureAnswer: Admission = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(answerHeaders)) context.header(name, value);
};

export interface CallerAdmission {
  readonly authenticate: Authenticate | undefined;
  readonly tenants: FindTenant;
  readonly window: RequestWindow;
}

export function admitCaller({ authenticate, tenants, window }: CallerAdmission): Admission {
  return async (context, next) => {
    // Without a server of Node's own there is no connection, and nothing is bound.
    const address = (context.env as Partial<ServerEnvironment["Bindings"]> | undefined)?.incoming
      ?.socket.remoteAddress;
    const caller = await identify(authenticate, context.req.raw, address);
    if ("code" in caller) return toResponse(caller);
    const host = await tenants(caller.tenant);
    if (host === undefined) return toResponse(refuse("TENANT_UNKNOWN"));
    const retryAfterS = window.count(caller.tenant, Date.now());
    if (retryAfterS !== undefined) return toResponse(refuse("REQUESTS_EXHAUSTED", { retryAfterS }));
    context.set("caller", caller);
    context.set("host", host);
    return next();
  };
}

async function identify(
  authenticate: Authenticate | undefined,
  request: Request,
  address: string | undefined,
): Promise<Caller | Refusal> {
  try {
    return (await authenticate?.(request, address)) ?? refuse("CALLER_UNKNOWN");
  } catch {
    return refuse("CALLER_UNVERIFIED");
  }
}

export const admitRun: Admission = async (context, next) => {
  const run = context.req.param("run") ?? "";
  const isThere = isUuid(run) && (await hasRun(context.get("host"), run));
  return isThere ? next() : toResponse(refuse("RUN_UNKNOWN"));
};
