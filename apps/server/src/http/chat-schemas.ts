/**
 * The request of a page that uses the AI SDK. Only the newest message counts. History, outputs of
 * tools and roles in the request are ignored.
 */
import { z } from "@hono/zod-openapi";
import {
  CHAT_MESSAGES_MAX,
  CHAT_PARTS_MAX,
  CLIENT_KEY_LENGTH_MAX,
  EVENTS_PAGE_DEFAULT,
  EVENTS_PAGE_MAX,
} from "../limits.ts";

const name = z.string().min(1).max(CLIENT_KEY_LENGTH_MAX);
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const message = z.looseObject({
  id: name,
  role: z.enum(["user", "assistant", "system"]),
  parts: z.array(z.looseObject({ type: z.string() })).max(CHAT_PARTS_MAX),
});

export const chatBody = z
  .strictObject({
    id: name.describe("the chat: a run, or a name; the first message creates its run"),
    messages: z.array(message).min(1).max(CHAT_MESSAGES_MAX).describe("the last one counts"),
    trigger: z.enum(["submit-message", "regenerate-message"]),
    messageId: z.string().optional(),
  })
  .openapi("Chat");
export const stopBody = z.strictObject({}).openapi("Stop");
export const agentParams = z.object({ agent: z.string() });
export const chatParams = agentParams.extend({ id: z.string() });
export const chatStreamQuery = z.strictObject({
  turn: count.optional().describe("this turn, whether or not anything of it is under way"),
  steps: count.optional().describe("how many steps of it the page has; the last one is sent again"),
  seen: count.optional().describe("the last event that the page has in full"),
});
export const transcriptQuery = z.strictObject({
  after: z.string().max(CLIENT_KEY_LENGTH_MAX).optional(),
  limit: z.coerce.number().int().min(1).max(EVENTS_PAGE_MAX).default(EVENTS_PAGE_DEFAULT),
});
export const transcriptAnswer = z
  .object({
    messages: z.array(
      z.object({
        id: z.string(),
        role: z.enum(["user", "assistant"]),
        metadata: z.unknown().optional(),
        parts: z.array(z.looseObject({ type: z.string() })),
      }),
    ),
    sequence: z.int().describe("the event of the log up to which this holds"),
    next: z.string().nullable().describe("ask for what is after this; null when that is all"),
  })
  .openapi("Transcript");
