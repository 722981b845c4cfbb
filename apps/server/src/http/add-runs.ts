/** Routes that start runs, and that read their messages. */
import { readSession, runOfKey } from "@turnseal/host";
import { type EnvelopePlace, parseEnvelopeId } from "@turnseal/protocol/events";
import { type Agent, hasRun, runKey, type SessionHost } from "@turnseal/sessions";
import type { ServerApp } from "./environment.ts";
import { type GiveBytes, giveJson } from "./give-bytes.ts";
import { parseBody, parseFields } from "./parse-body.ts";
import { refuse, toResponse } from "./refusal.ts";
import { pageQuery, startBody } from "./schemas.ts";

export function addRuns(
  app: ServerApp,
  agents: Readonly<Record<string, Agent>>,
  give: GiveBytes,
): void {
  app.post("/v1/runs", async (context) => {
    const body = await parseBody(context.req.raw, startBody);
    if (body.kind === "refused") return toResponse(body.refusal);
    const { agent: name, input, key, source } = body.value;
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
    if (agent === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    const { host, caller } = context.var;
    const { loop, ...authority } = agent;
    // The same key of two tenants must not name the same run, since its id gives access to live
    // pieces.
    const named = key === undefined ? {} : { key: await runKey(host, caller.tenant, key) };
    // The host takes any input, and the loop's own schema judges it.
    const run = await host.start(loop, input as never, {
      ...{ ...authority, ...named, by: caller.id },
      ...(source === undefined ? {} : { source }),
    });
    host.lookAt?.(run);
    return context.json({ run }, 201);
  });
  app.get("/v1/starts/:key", async (context) => {
    const { host, caller } = context.var;
    const key = context.req.param("key");
    const run = runOfKey(await runKey(host, caller.tenant, key), host.cell);
    return answerStarted(await hasRun(host, run));
  });
  app.get("/v1/runs/:run/events", async (context) => {
    const query = parseFields(context.req.query(), pageQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const { after, limit } = query.value;
    const run = context.req.param("run");
    const { host } = context.var;
    const place = await findPlace(host, run, after);
    if (place.kind === "refused") return toResponse(refuse("CURSOR_REFUSED"));
    const options = { limit, ...(after === undefined ? {} : { after }) };
    const page = await readSession(host.stores, run, options);
    if (page === undefined) return toResponse(refuse("CURSOR_REFUSED"));
    const next = page.isEnd ? null : (page.envelopes.at(-1)?.id ?? after ?? null);
    return giveJson(give, { events: page.envelopes, next }, context);
  });
}

/** Whether there is a run under a name; which one it is, the name does not give away. */
export function answerStarted(isStarted: boolean): Response {
  return isStarted ? new Response(null, { status: 204 }) : toResponse(refuse("RUN_UNKNOWN"));
}

/** Where reading goes on: nowhere yet, after an event of this run, or not at all. */
export async function findPlace(
  { stores }: SessionHost,
  run: string,
  after: string | undefined,
): Promise<
  { readonly kind: "found"; readonly place?: EnvelopePlace } | { readonly kind: "refused" }
> {
  if (after === undefined) return { kind: "found" };
  const place = parseEnvelopeId(after);
  if (place === undefined || place.run !== run) return { kind: "refused" };
  const head = await stores.log.readHead(run);
  const isThere = head !== undefined && place.sequence <= head.sequence;
  return isThere ? { kind: "found", place } : { kind: "refused" };
}
