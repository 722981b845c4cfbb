/**
 * The schemas of requests and answers. Requests are checked against them, and the OpenAPI document
 * is made of them. Fields that are not listed are refused.
 */
import { z } from "@hono/zod-openapi";
import { ANSWERS, STARTER_LENGTH_MAX } from "@turnseal/host";
import { APPROVAL_CHOICES, BLOCK_CAUSES, PERIOD_KINDS, STOP_REASONS } from "@turnseal/protocol";
import { EVENT_TYPES } from "@turnseal/protocol/events";
import {
  FILE_BYTES_MAX,
  FILE_NAME_LENGTH_MAX,
  FILE_TYPES,
  FILES_MAX,
} from "@turnseal/protocol/files";
import { MESSAGE_LENGTH_MAX, REASON_LENGTH_MAX } from "@turnseal/sessions";
import { CLIENT_KEY_LENGTH_MAX, EVENTS_PAGE_DEFAULT, EVENTS_PAGE_MAX } from "../limits.ts";

const name = z.string().min(1).max(CLIENT_KEY_LENGTH_MAX);
const key = name.describe("the same key counts once");
// Any JSON: the body was taken as JSON before it came here.
const json = z.unknown().openapi({ description: "any JSON" });
const eventId = z.string().max(CLIENT_KEY_LENGTH_MAX).openapi({ example: "<run>/12.0" });

// Of a run that has stopped, `never` takes the place of `retry`.
const resolutionWord = z.enum([...ANSWERS, "never"]);

export const startBody = z
  .strictObject({
    agent: name,
    input: json,
    key: key.optional(),
    source: z
      .string()
      .min(1)
      .max(STARTER_LENGTH_MAX)
      .optional()
      .describe("the starter instead of a person: a webhook, a schedule"),
  })
  .openapi("Start");
export const fileAnswer = z
  .strictObject({
    file: z.string().regex(/^hmac-sha256:[0-9a-f]{64}$/),
    mediaType: z.enum(FILE_TYPES as [string, ...string[]]),
    bytes: z.int().min(1).max(FILE_BYTES_MAX),
    name: z.string().min(1).max(FILE_NAME_LENGTH_MAX).optional(),
  })
  .openapi("File");
export const messageBody = z
  .strictObject({
    text: z.string().min(1).max(MESSAGE_LENGTH_MAX),
    key,
    files: z.array(fileAnswer).min(1).max(FILES_MAX).optional().describe("files of this run"),
  })
  .openapi("Message");
const amounts = z.record(z.string(), z.int().min(1)).describe("by unit");
const standingTerms = z.strictObject({
  uses: z.int().min(1).describe("further calls"),
  withinMs: z.int().min(1),
  amounts: amounts.optional(),
});
export const decisionBody = z
  .strictObject({
    approval: name,
    choice: z.enum(APPROVAL_CHOICES),
    reason: z.string().max(REASON_LENGTH_MAX).optional(),
    arguments: json.optional(),
    standing: standingTerms.optional().describe("lets the approval stand for further calls"),
    pattern: z.record(z.string(), json).optional().describe("a condition for each argument"),
  })
  .openapi("Decision");
export const revocationBody = z
  .strictObject({ standing: name.describe("the id of an approval that stands") })
  .openapi("Revocation");
export const standingAnswer = z
  .object({
    standing: z.array(
      z.object({
        id: z.string(),
        tool: z.string(),
        by: z.string(),
        usesLeft: z.int(),
        left: amounts.optional(),
        until: z.iso.datetime(),
        pattern: z.record(z.string(), json).optional().describe("absent once it was erased"),
      }),
    ),
  })
  .openapi("Standing");
export const answerBody = z.strictObject({ question: name, answer: json }).openapi("Answer");
export const signalBody = z
  .strictObject({
    name: name.refine((value) => value !== "message", "messages have a route of their own"),
    payload: json,
    key,
  })
  .openapi("Signal");
export const abortBody = z.strictObject({ generationId: name, key }).openapi("Abort");

export const resolutionBody = z
  .strictObject({
    key: z.string().describe("the action: `id` of its request"),
    resolution: resolutionWord,
    result: z.unknown().optional().describe("for `happened`: what the tool would have answered"),
  })
  .openapi("Resolution");
export const retryBody = z
  .strictObject({
    again: z
      .boolean()
      .optional()
      .describe("what the turn has done (`repeats` of the provider) may be done again"),
  })
  .openapi("Retry");
export const cancelBody = z.strictObject({}).openapi("Cancel");

export const runParams = z.object({ run: z.string().openapi({ format: "uuid" }) });
export const startParams = z.object({ key: key.describe("the key that the run is started with") });
export const fileParams = runParams.extend({ file: z.string() });
export const fileQuery = z.object({ name: z.string().max(FILE_NAME_LENGTH_MAX).optional() });
export const pageQuery = z.object({
  after: eventId.optional(),
  limit: z.coerce.number().int().min(1).max(EVENTS_PAGE_MAX).default(EVENTS_PAGE_DEFAULT),
});
export const streamQuery = z.object({ after: eventId.optional() });

export const errorAnswer = z
  .object({
    error: z.object({ code: z.string(), message: z.string(), next: z.string().optional() }),
  })
  .openapi("Error");
export const startedAnswer = z.object({ run: z.uuid() }).openapi("Started");
export const toldAnswer = z
  .object({
    status: z.enum(["stored", "known"]).describe("known: it was sent before"),
    queued: z.string().optional().describe("what a message waits for before its turn, in words"),
  })
  .openapi("Told");
export const healthAnswer = z
  .object({
    status: z.literal("ok"),
    cell: z.string().optional().describe("what the ids of runs begin with that are started here"),
  })
  .openapi("Health");

const envelope = z
  .object({
    id: eventId,
    run: z.uuid(),
    sequence: z.int().positive(),
    type: z.enum(EVENT_TYPES),
    content: z.record(z.string(), z.unknown()),
    createdAt: z.iso.datetime(),
    generationId: z.string().optional(),
    message: z.string().optional().describe("what its pieces were sent under"),
    erased: z.literal(true).optional(),
  })
  .openapi("EventEnvelope");
export const pageAnswer = z
  .object({
    events: z.array(envelope),
    next: eventId.nullable().describe("ask for what is after this; null when that is all"),
  })
  .openapi("EventPage");

/** An open request. */
export const openWord = z.object({
  kind: z.enum(["approval", "question"]),
  id: z.string(),
  name: z.string(),
  generationId: z.string(),
  message: z.string(),
  request: z.unknown(),
  role: z.string().nullable(),
  approvers: z.int(),
  approvedBy: z.array(z.string()),
  askedAt: z.iso.datetime(),
  decideBy: z.iso.datetime().nullable(),
  loop: z.string(),
  version: z.string(),
  description: z.string().optional(),
  facts: z.record(z.string(), z.unknown()).describe("the rule, the cost, the declared effect"),
  mayStand: standingTerms.optional().describe("how far the approval may stand"),
});
export const unknownWord = z
  .object({
    kind: z.literal("unknown"),
    id: z.string().describe("the key of the action, which a resolution names"),
    name: z.string(),
    generationId: z.string(),
    message: z.string(),
    request: z.unknown(),
    role: z.string().nullable(),
    effect: z.string(),
    deadlineAt: z.iso.datetime(),
    answers: z.array(resolutionWord).describe("what a person can answer"),
    reason: z.string().optional().describe("the words of the tool, where it threw"),
  })
  .describe("an action whose end is unknown: it may have happened");
const failureCause = z.object({
  model: z.string().describe("backend/model"),
  failure: z.string().describe("the class of its failure; TIMEOUT where it said nothing in time"),
  words: z.string(),
  next: z.string().describe("what to do about it"),
});
const awaitedProvider = failureCause
  .extend({
    since: z.iso.datetime(),
    until: z.iso
      .datetime()
      .optional()
      .describe("the time of the next request; without it, only on retry"),
    parked: z
      .object({
        kind: z.enum(["closed", "time-over", "asked-longer", "repeats", "budget"]),
        words: z.string().describe("why, as a clause"),
        unit: z.string().optional().describe("of a cap without room for one more request"),
        period: z.enum(PERIOD_KINDS).optional().describe("of that cap, where it is for periods"),
      })
      .optional()
      .describe("why it is not asked again without a person"),
    repeats: z
      .array(z.string())
      .optional()
      .describe("actions that a retry repeats, since the turn starts over"),
  })
  .describe("a provider that gave no answer, and is waited for");
const blocked = z
  .object({
    cause: z.enum(BLOCK_CAUSES),
    what: z.string().describe("the name of what is missing"),
    words: z.string().describe("the cause, as a sentence"),
    since: z.iso.datetime(),
    until: z.iso.datetime().optional().describe("when it is over by itself"),
  })
  .describe("why a run that has not stopped does not go on");
const flowPart = z
  .object({
    path: z.string().describe("of the node, or of the fan-out of the item"),
    index: z.int().optional().describe("of an item, from zero"),
    label: z.string().optional(),
    status: z.enum(["ok", "error", "withdrawn", "open"]),
    code: z.string().optional(),
    reason: z
      .string()
      .optional()
      .describe("the words of the tool or the provider that failed: foreign text"),
  })
  .describe("what a part of the flow of its latest turn came to");
export const runState = z.object({
  status: z.enum(["running", "waiting", "done"]),
  stopped: z.enum(STOP_REASONS).optional(),
  sequence: z.int(),
  turn: z.int().nullable().describe("the turn that is open"),
  turns: z.int().describe("turns that were closed"),
  requests: z.array(z.union([openWord, unknownWord])),
  provider: awaitedProvider.optional(),
  failure: z
    .string()
    .optional()
    .describe("The code of the failed turn, where the last message got no answer"),
  blocked: blocked.optional(),
  cause: failureCause.optional().describe("why the model of a run that has stopped did not answer"),
  parts: z.array(flowPart).optional().describe("of a run that has stopped without its goal"),
});

/** Frames of a stream other than events: in the document only. */
export const streamSchemas = {
  Delta: z.object({
    generationId: z.string(),
    message: z.string(),
    kind: z.enum(["text", "reasoning", "tool-output"]),
    epoch: z.int(),
    offset: z.int().describe("characters that came before"),
    text: z.string(),
  }),
  RunState: runState,
};
