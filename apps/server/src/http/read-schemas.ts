/** Queries and answers of lists and views: for requests and for the document. */
import { z } from "@hono/zod-openapi";
import { STOP_REASONS } from "@turnseal/protocol";
import { CLIENT_KEY_LENGTH_MAX, LIST_PAGE_DEFAULT, LIST_PAGE_MAX } from "../limits.ts";

import { openWord, runState, unknownWord } from "./schemas.ts";

const name = z.string().min(1).max(CLIENT_KEY_LENGTH_MAX);
const count = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const limit = z.coerce.number().int().min(1).max(LIST_PAGE_MAX).default(LIST_PAGE_DEFAULT);
const status = z.enum(["running", "waiting", "done"]);
const next = z
  .string()
  .nullable()
  .describe("ask for what is after this; null when that is all. A page may have fewer, or none");
const amounts = z.record(z.string(), z.int()).describe("by unit");
const json = z.unknown().openapi({ description: "any JSON" });

const after = z.string().max(CLIENT_KEY_LENGTH_MAX).optional().describe("`next` of a page");

export const runsQuery = z.strictObject({
  state: status.optional(),
  loop: name.optional(),
  since: z.iso.datetime().optional().describe("started at this time or later"),
  by: name.optional().describe("who started it"),
  after,
  limit,
});
export const inboxQuery = z.strictObject({ after, limit });
export const contextQuery = z.strictObject({ turn: count.optional(), round: count.optional() });
export const receiptsQuery = z.strictObject({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit,
});

const runRow = z
  .object({
    run: z.uuid(),
    loop: z.string(),
    version: z.string(),
    status,
    stopped: z.enum(STOP_REASONS).optional(),
    startedAt: z.iso.datetime().nullable(),
    startedBy: z.string().nullable(),
    changedAt: z.iso.datetime().nullable(),
    turns: z.int().describe("turns that were closed"),
    requests: z.int().describe("open approvals, questions and unknown actions"),
  })
  .openapi("Run");
export const runAnswer = runRow.extend(runState.shape).openapi("RunNow");
export const runsAnswer = z.object({ runs: z.array(runRow), next }).openapi("RunPage");

export const costAnswer = z
  .object({
    spent: amounts.describe("what is settled"),
    assumed: amounts.describe("what may have been spent, counted in full"),
    reserved: amounts.describe("what is under way"),
    budget: amounts.describe("what the grant allows; a unit that is absent has no cap"),
  })
  .openapi("Cost");
export const contextAnswer = z
  .object({
    run: z.uuid(),
    turn: z.int(),
    round: z.int(),
    event: z.int(),
    backend: z.string(),
    model: z.string(),
    thread: z.string().nullable(),
    entries: z.array(
      z.object({
        number: z.int().nullable(),
        role: z.string(),
        by: z.string().nullable(),
        tokens: z.int().nullable().describe("by estimate"),
        message: json,
      }),
    ),
    leftOut: z.int(),
    strategy: json,
    summarized: json,
    unsummarized: json,
    contextTokens: z.int().nullable(),
    billed: json,
  })
  .openapi("SentContext");
export const receiptsAnswer = z
  .object({
    receipts: z.array(
      z.object({ turn: z.int(), id: z.string(), envelope: json.describe("as it was signed") }),
    ),
    next: z.int().nullable().describe("ask for the turns after this; null when that is all"),
  })
  .openapi("ReceiptPage");

const schema = json.describe("JSON Schema 2020-12");
const described = {
  name: z.string(),
  description: z.string().optional(),
  inputSchema: schema,
  outputSchema: schema,
};
export const agentsAnswer = z
  .object({
    agents: z.array(
      z.object({
        ...described,
        loop: z.string(),
        version: z.string(),
        awaits: z.array(z.string()).describe("the signals that it takes turns for"),
      }),
    ),
  })
  .openapi("Agents");
export const loopsAnswer = z
  .object({
    loops: z.array(
      z.object({ ...described, id: z.string(), version: z.string(), kind: z.string() }),
    ),
  })
  .openapi("Loops");
export const inboxAnswer = z
  .object({
    requests: z.array(
      z.union([openWord.extend({ run: z.uuid() }), unknownWord.extend({ run: z.uuid() })]),
    ),
    next,
  })
  .openapi("Inbox");
