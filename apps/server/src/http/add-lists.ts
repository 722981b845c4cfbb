/**
 * Lists what the caller may see: runs, open requests to people, agents and loops.
 *
 * 1. Everything is within the tenant of the caller.
 * 2. A person sees the runs that they started, and what they themselves may decide. Operators see
 *    the runs of everybody. Where a page ends says nothing of the runs of others.
 */

import type { RunProjection } from "@turnseal/folds";
import {
  checkPerson,
  type DecidableTerms,
  listPersonRequests,
  toOpenWord,
  toUnknownWord,
} from "@turnseal/host";
import { isLoopError } from "@turnseal/protocol";
import type { Agent, Caller, SessionHost } from "@turnseal/sessions";
import {
  describeRun,
  isOperator,
  type RunRow,
  type RunScan,
  type ScannedPage,
  scanRuns,
} from "@turnseal/sessions";
import { OPERATORS_ONLY } from "./admit-operator.ts";
import type { ServerApp } from "./environment.ts";
import { type CursorOwner, createListCursors, type ListName } from "./list-cursor.ts";
import { parseFields } from "./parse-body.ts";
import { inboxQuery, runsQuery } from "./read-schemas.ts";
import { refuse, toResponse } from "./refusal.ts";

export function addLists(app: ServerApp, agents: Readonly<Record<string, Agent>>): void {
  const listPage = createPages();
  app.get("/v1/runs", async (context) => {
    const query = parseFields(context.req.query(), runsQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const { caller } = context.var;
    const { by, after, limit, ...filters } = query.value;
    if (by !== undefined && by !== caller.id && !isOperator(caller))
      return toResponse(OPERATORS_ONLY);
    const whose = isOperator(caller) ? by : caller.id;
    const page = await listPage<RunRow>(context.var, "runs", {
      ...{ after, limit },
      pick: async ({ snapshot, read }) => {
        const row = describeRun(snapshot.run, await read());
        return isMeant(row, { ...filters, by: whose }) ? [row] : [];
      },
    });
    if (page === undefined) return toResponse(NOT_THEIR_CURSOR);
    return Response.json({ runs: page.rows, next: page.next });
  });
  app.get("/v1/inbox", async (context) => {
    const query = parseFields(context.req.query(), inboxQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const { host, caller } = context.var;
    const page = await listPage(context.var, "inbox", {
      ...query.value,
      pick: async ({ snapshot, read }) =>
        snapshot.waiting === undefined ? [] : listDecidable(await read(), host, caller),
    });
    if (page === undefined) return toResponse(NOT_THEIR_CURSOR);
    return Response.json({ requests: page.rows, next: page.next });
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

const NOT_THEIR_CURSOR = refuse("CURSOR_REFUSED", {
  message: "the cursor was not given to this caller for this list",
  next: "leave the cursor out to begin with the first page",
});

/** A page of what a caller may see, between cursors that only they can use. */
function createPages() {
  const findCursors = createListCursors();
  return async <Row>(
    owner: CursorOwner,
    list: ListName,
    { after, ...scan }: RunScan<Row>,
  ): Promise<ScannedPage<Row> | undefined> => {
    const cursors = findCursors(owner, list);
    const from = after === undefined ? undefined : await cursors.open(after);
    if (after !== undefined && from === undefined) return undefined;
    const { rows, next } = await scanRuns(owner.host, { ...scan, after: from });
    return { rows, next: next === null ? null : await cursors.seal(next) };
  };
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

/** The requests of a run to this person. */
async function listDecidable(
  projection: RunProjection | undefined,
  { stores }: SessionHost,
  caller: Caller,
) {
  const isWanted = (request: DecidableTerms) => mayDecide(request, caller);
  const requests = await listPersonRequests(projection, stores, { isWanted });
  return requests.map((request) => ({
    run: request.run,
    ...(request.kind === "unknown" ? toUnknownWord(request) : toOpenWord(request)),
  }));
}

function mayDecide(request: DecidableTerms, { id, roles }: Caller): boolean {
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
