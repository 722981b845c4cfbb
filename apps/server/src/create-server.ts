/**
 * The server: runs and their sessions over HTTP, for callers that the operator's own function
 * identifies.
 *
 * 1. The owner of a run is checked first. The server answers alike for a run of another tenant, a
 *    run that does not exist and an invalid run id. The rest of the request does not change that
 *    answer.
 * 2. Clients start only the agents of the operator's table; a client never sends a grant.
 * 3. A client that goes away changes nothing. To stop a run, it sends a request.
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import { isUuid } from "@turnseal/protocol";
import type { Agent, Caller, DrivingHost, FindTenant } from "@turnseal/sessions";
import { createTails } from "@turnseal/sessions";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { driveHost } from "./drive-host.ts";
import type { DriveRunsOptions } from "./drive-runs.ts";
import { addChats } from "./http/add-chats.ts";
import { addFiles, createUploads } from "./http/add-files.ts";
import { addLists } from "./http/add-lists.ts";
import { addMessageRoutes } from "./http/add-message-routes.ts";
import { addRuns } from "./http/add-runs.ts";
import { addStream } from "./http/add-stream.ts";
import { addViews } from "./http/add-views.ts";
import { admitCaller, admitRun, secureAnswer } from "./http/admit.ts";
import type { ServerEnvironment } from "./http/environment.ts";
import { createGiver } from "./http/give-bytes.ts";
import { addDocument } from "./http/open-api.ts";
import { createRunStreams } from "./http/open-run-stream.ts";
import { createStreams } from "./http/open-streams.ts";
import { refuse, toRefusal, toResponse } from "./http/refusal.ts";
import { createRequestWindow } from "./http/request-window.ts";
import { type Answered, tellAnswered } from "./http/tell-answered.ts";
import type { Authenticate } from "./identity/caller.ts";
import { TENANT_DEFAULT } from "./identity/localhost-only.ts";
import { SERVER_LIMITS_DEFAULT, type ServerLimits } from "./limits.ts";

/** One host, whose runs are driven in this process, or one for each tenant. */
export type ServerOptions = ServerSettings & (ServedHost | ServedTenants);

export interface ServedHost extends Pick<DriveRunsOptions, "onBlocked"> {
  /** A host from `turnseal()` or `createLocalHost`. Its open runs continue at once. */
  readonly host: DrivingHost;
  /** The tenant of its callers: by default `default`. Others are refused. */
  readonly tenant?: string;
  readonly tenants?: undefined;
}

export interface ServedTenants {
  /** Called with each request. Its provider drives the runs. */
  readonly tenants: FindTenant;
  readonly host?: undefined;
}

export interface ServerSettings {
  /** The agents that clients can start, by name. */
  readonly agents: Readonly<Record<string, Agent>>;
  /** Says who sends a request. Without it, everything but health is refused. */
  readonly authenticate?: Authenticate;
  readonly limits?: Partial<ServerLimits>;
  /** Pages of other origins that may ask. Without it, none may. */
  readonly origins?: readonly string[];
  /** The cell of the runs, for a router that asks whether this is the one. */
  readonly cell?: string;
  /** Reports failures of the server, without content: for the operator's log. */
  readonly onFailure?: (error: unknown, place: FailurePlace) => void;
  /** Reports every request once it is answered; a stream at its beginning. */
  readonly onAnswered?: (answered: Answered) => void;
}

/** Where a request failed. */
export interface FailurePlace {
  /** The caller's tenant, as far as it is known. */
  readonly tenant?: string;
  /** The run that the request names, where there is one of that name. */
  readonly run?: string;
}

export interface Server {
  /** Answers one request; for any runtime that has these. */
  fetch(request: Request, env?: object): Response | Promise<Response>;
  /** Streams that are open now. */
  streamCount(): number;
  /**
   * Ends every stream: their readers come back, to another process. Where it has a host, it drives
   * its runs no further, and waits until an action that is under way has ended.
   */
  close(): Promise<void>;
}

/**
 * @example
 * const host = await turnseal();
 * const server = createServer({ host, agents, authenticate: apiKeys(keys) });
 * await serve(server, { port: 8787 });
 */
export function createServer(options: ServerOptions): Server {
  const { agents, authenticate, origins = [], onFailure, onAnswered, cell } = options;
  const { find: tenants, close } = openHosts(options);
  const limits = { ...SERVER_LIMITS_DEFAULT, ...options.limits };
  const app = new OpenAPIHono<ServerEnvironment>();
  app.onError((error, context) => {
    const response = toResponse(toRefusal(error));
    if (response.status >= 500) onFailure?.(error, placeOf(context));
    return response;
  });
  if (onAnswered !== undefined) app.use(tellAnswered(onAnswered));
  app.notFound(() => toResponse(refuse("ROUTE_UNKNOWN")));
  app.use(secureAnswer);
  if (origins.length > 0) app.use(admitOrigins(origins));
  app.get("/v1/health", (context) =>
    context.json({ status: "ok", ...(cell === undefined ? {} : { cell }) }),
  );
  app.use(admitCaller({ authenticate, tenants, window: createRequestWindow(limits) }));
  app.use("/v1/runs/:run/*", admitRun);
  const give = createGiver(limits);
  addLists(app, agents);
  addRuns(app, agents, give);
  addViews(app, give);
  addMessageRoutes(app);
  const keepUpload = createUploads(limits);
  addFiles(app, keepUpload, give);
  const streams = createStreams(limits);
  const streamRun = createRunStreams({ limits, streams, tails: createTails(limits.looksMax) });
  addStream(app, streamRun);
  addChats(app, { agents, streamRun, keepUpload, give });
  addDocument(app);
  return {
    fetch: (request, env) => app.fetch(request, env),
    streamCount: streams.count,
    close: () => {
      streams.close();
      return close();
    },
  };
}

interface OpenedHosts {
  readonly find: FindTenant;
  close(): Promise<void>;
}

function openHosts(options: ServerOptions): OpenedHosts {
  if (options.host === undefined) return { find: options.tenants, close: async () => {} };
  const { host, tenant = TENANT_DEFAULT, agents, onFailure, onBlocked } = options;
  const { served, close } = driveHost(host, {
    ...{ agents, ...(onBlocked === undefined ? {} : { onBlocked }) },
    onFailure: (error, run) => onFailure?.(error, run === undefined ? { tenant } : { tenant, run }),
  });
  return { find: (asked) => (asked === tenant ? served : undefined), close };
}

function placeOf(context: Context<ServerEnvironment>): FailurePlace {
  // Undefined until the caller is known, although the type says otherwise.
  const caller: Caller | undefined = context.get("caller");
  const run = context.req.param("run");
  return {
    ...(caller === undefined ? {} : { tenant: caller.tenant }),
    ...(run === undefined || !isUuid(run) ? {} : { run }),
  };
}

function admitOrigins(origins: readonly string[]) {
  return cors({
    origin: [...origins],
    allowMethods: ["GET", "POST"],
    exposeHeaders: ["retry-after"],
  });
}
