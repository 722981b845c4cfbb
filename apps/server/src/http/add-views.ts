/** One run, as it stands: its state, its receipts, what it cost and what its model was sent. */
import { readRunState, readSentContext } from "@turnseal/host";
import { describeRun, isOperator } from "@turnseal/sessions";
import { OPERATORS_ONLY } from "./admit-operator.ts";
import type { ServerApp } from "./environment.ts";
import { type GiveBytes, giveJson } from "./give-bytes.ts";
import { parseFields } from "./parse-body.ts";
import { contextQuery, receiptsQuery } from "./read-schemas.ts";
import { refuse, toResponse } from "./refusal.ts";

export function addViews(app: ServerApp, give: GiveBytes): void {
  app.get("/v1/runs/:run", async (context) => {
    const run = context.req.param("run");
    const { host } = context.var;
    const row = describeRun(run, await host.show(run));
    return Response.json({ ...row, ...(await readRunState(host, run)) });
  });
  app.get("/v1/runs/:run/cost", async (context) => {
    const projection = await context.var.host.show(context.req.param("run"));
    const { settled = {}, assumed = {}, open = {} } = projection?.spending ?? {};
    const budget = projection?.spec?.grant.budget ?? {};
    return Response.json({ spent: settled, assumed, reserved: open, budget });
  });
  app.get("/v1/runs/:run/standing", async (context) => {
    const standing = await context.var.host.standing(context.req.param("run"));
    const listed = standing.map(({ id, tool, by, usesLeft, left, until, pattern }) => {
      return { id, tool, by, usesLeft, left, until, pattern };
    });
    return giveJson(give, { standing: listed }, context);
  });
  app.get("/v1/runs/:run/receipts", async (context) => {
    const query = parseFields(context.req.query(), receiptsQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const { after, limit } = query.value;
    const { receipts } = context.var.host.stores;
    const page = await receipts.list(context.req.param("run"), after + 1, limit);
    const next = page.length < limit ? null : (page.at(-1)?.turn ?? null);
    const listed = page.map(({ turn, id, envelope }) => ({ turn, id, envelope }));
    return giveJson(give, { receipts: listed, next }, context);
  });
  app.get("/v1/runs/:run/context", async (context) => {
    const query = parseFields(context.req.query(), contextQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const { host, caller } = context.var;
    // It has the system prompt and other content that an agent's users must not see.
    if (!isOperator(caller)) return toResponse(OPERATORS_ONLY);
    const sent = await readSentContext(host.stores, context.req.param("run"), query.value);
    if (sent === undefined) return toResponse(refuse("CONTEXT_UNKNOWN"));
    return giveJson(give, sent, context);
  });
}
