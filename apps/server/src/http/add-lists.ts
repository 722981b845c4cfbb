/**
 * What there is, for whoever may see it: runs, what waits for a person, agents and loops.
 *
 * 1. Everything is within the tenant of the caller.
 * 2. A person sees the runs that they started, and what they themselves may decide. Operators see
 *    the runs of everybody.
 */
import { checkPerson, listRequests, type RunProjection, toOpenWord } from "@turnseal/host";
import { isLoopError } from "@turnseal/protocol";
import type { Caller } from "../identity/caller.ts";
import type { Agent, SessionHost } from "../session-host.ts";
import { isOperator, OPERATORS_ONLY } from "./admit-operator.ts";
import { describeRun, type RunRow } from "./describe-run.ts";
import type { ServerApp } from "./environment.ts";
import { parseFields } from "./parse-body.ts";
import { inboxQuery, runsQuery } from "./read-schemas.ts";
import { toResponse } from "./refusal.ts";
import { scanRuns } from "./scan-runs.ts";

export function addLists(app: ServerApp, agents: Readonly<Record<string, Agent>>): void {
  app.get("/v1/runs", async (context) => {
    const query = parseFields(context.req.query(), runsQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const { host, caller } = context.var;
    const { by, after, limit, ...filters } = query.value;
    if (by !== undefined && by !== caller.id && !isOperator(caller))
      return toResponse(OPERATORS_ONLY);
    const whose = isOperator(caller) ? by : caller.id;
    const { rows: runs, next } = await scanRuns<RunRow>(host, {
      ...{ after, limit },
      pick: async ({ snapshot, read }) => {
        const row = describeRun(snapshot.run, await read());
        return isMeant(row, { ...filters, by: whose }) ? [row] : [];
      },
    });
    return Response.json({ runs, next });
  });
  app.get("/v1/inbox", async (context) => {
    const query = parseFields(context.req.query(), inboxQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const { host, caller } = context.var;
    const { rows: requests, next } = await scanRuns(host, {
      ...query.value,
      pick: async ({ snapshot, read }) =>
        snapshot.waiting === undefined ? [] : listDecidable(await read(), host, caller),
    });
    return Response.json({ requests, next });
  });
  app.get("/v1/agents", (context) => {
    const listed = Object.entries(agents).map(([name, { loop, bounds }]) => {
      const { definition } = loop;
      const { id, version, inputSchema, outputSchema } = definition;
      const awaits = bounds?.awaits ?? [];
      return {
        name,
        ...descriptionOf(definition),
        loop: id,
        version,
        awaits,
        inputSchema,
        outputSchema,
      };
    });
    return context.json({ agents: listed });
  });
  app.get("/v1/loops", (context) => {
    const { host, caller } = context.var;
    if (!isOperator(caller)) return toResponse(OPERATORS_ONLY);
    const loops = host.registry.list().map(({ definition }) => {
      const { id, name, version, kind, inputSchema, outputSchema } = definition;
      return { id, name, ...descriptionOf(definition), version, kind, inputSchema, outputSchema };
    });
    return Response.json({ loops });
  });
}

interface RunFilters {
  readonly state?: RunRow["status"] | undefined;
  readonly loop?: string | undefined;
  readonly since?: string | undefined;
  readonly by: string | undefined;
}

function isMeant(row: RunRow, { state, loop, since, by }: RunFilters): boolean {
  if (state !== undefined && row.status !== state) return false;
  if (loop !== undefined && row.loop !== loop) return false;
  if (since !== undefined && Date.parse(row.startedAt ?? "") < Date.parse(since)) return false;
  return by === undefined || row.startedBy === by;
}

/** What of a run waits for this person. */
async function listDecidable(
  projection: RunProjection | undefined,
  { stores }: SessionHost,
  caller: Caller,
) {
  const requests = await listRequests(projection, stores);
  return requests
    .filter((request) => mayDecide(request, caller))
    .map((request) => ({ run: request.run, ...toOpenWord(request) }));
}

function mayDecide(request: Parameters<typeof checkPerson>[0], { id, roles }: Caller): boolean {
  try {
    checkPerson(request, { id, roles }, "approve");
    return true;
  } catch (error) {
    if (isLoopError(error)) return false;
    throw error;
  }
}

function descriptionOf({ description }: { readonly description?: string }) {
  return description === undefined ? {} : { description };
}
