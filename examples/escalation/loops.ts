import { cel, defineComposite, definePrompt, defineTool, text } from "turnseal";
import { z } from "zod";
import { desk } from "./desk.ts";
import { support } from "./support.ts";

const HOUR_MS = 60 * 60 * 1_000;

const ticket = z.object({ ticket: z.string() });
const attempt = z.object({ sure: z.boolean(), reply: z.string() });
const advice = z.object({ reply: z.string() });

const clerk = { version: "1.0.0", output: attempt, backend: { id: "support" } } as const;

export const assist = definePrompt({
  ...{ ...clerk, id: "assist", input: ticket },
  system: "You answer tickets. Say whether you are sure.",
  template: "Ticket: {{ticket}}",
});

export const specialize = definePrompt({
  ...{ ...clerk, id: "specialize", input: z.object({ ticket: z.string(), tried: z.string() }) },
  system: "You know invoices. Say whether you are sure.",
  template: "Ticket: {{ticket}}\nAlready tried: {{tried}}",
});

/** A question for a person: the run waits for the answer, and nothing else can give it. */
const question = {
  version: "1.0.0",
  implementation: "turnseal.question",
  input: z.object({ ticket: z.string(), tried: z.string() }),
  output: advice,
  run: () => ({ reply: "a question is not executed" }),
} as const;
export const askAgent = defineTool({
  ...{ ...question, id: "ask-agent", description: "Asks an agent of the support desk" },
  config: { to: "person", role: "support" },
});
export const askManager = defineTool({
  ...{ ...question, id: "ask-manager", description: "Asks the manager on duty" },
  config: { to: "person", role: "manager" },
});

export const page = defineTool({
  id: "page-manager",
  version: "1.0.0",
  input: z.object({ text: z.string() }),
  output: z.object({ paged: z.boolean() }),
  effect: "idempotent",
  run: ({ text: words }) => {
    desk.push(`paged: ${words}`);
    return { paged: true };
  },
});

export const send = defineTool({
  id: "send-reply",
  version: "1.0.0",
  input: z.object({ ticket: z.string(), reply: z.string() }),
  output: z.object({ sent: z.string() }),
  effect: "once",
  run: ({ reply }) => {
    desk.push(`sent: ${reply}`);
    return { sent: reply };
  },
});

export const escalate = defineComposite({
  id: "escalate",
  version: "1.0.0",
  input: ticket,
  output: z.object({ sent: z.string() }),
  policy: { timeoutMs: 24 * HOUR_MS },
  flow: (flow) =>
    flow.machine("handled", (machine) =>
      machine
        .state(
          "assistant",
          (body) => body.call("assisted", assist, ({ input }) => ({ ticket: input.ticket })),
          {
            transitions: [
              { when: ({ result }) => result.output.sure, next: "closed" },
              { next: "specialist" },
            ],
          },
        )
        .state(
          "specialist",
          (body) =>
            body.call("specialized", specialize, ({ input, last }) => ({
              ticket: input.ticket,
              tried: cel<string>`${last}.reply`,
            })),
          {
            transitions: [
              { when: ({ result }) => result.output.sure, next: "closed" },
              { next: "agent" },
            ],
          },
        )
        .state(
          "agent",
          (body) =>
            body.waitForAnswer(
              "advised",
              askAgent,
              ({ input, last }) => ({ ticket: input.ticket, tried: cel<string>`${last}.reply` }),
              { withinMs: 4 * HOUR_MS, onTimeout: "continue" },
            ),
          {
            transitions: [
              { when: ({ result }) => cel`${result.output} != null`, next: "closed" },
              { next: "manager" },
            ],
          },
        )
        .state(
          "manager",
          (body) =>
            body.waitForAnswer(
              "ruled",
              askManager,
              ({ input }) => ({ ticket: input.ticket, tried: "an agent, for four hours" }),
              { withinMs: 12 * HOUR_MS },
            ),
          {
            onEntry: (entry) =>
              entry.call("paged", page, ({ input }) => ({ text: text`late: ${input.ticket}` })),
            transitions: [{ next: "closed" }],
          },
        )
        .state(
          "closed",
          (body) =>
            body.call("sent", send, ({ input, last }) => ({
              ticket: input.ticket,
              reply: cel<string>`${last}.reply`,
            })),
          { terminal: true },
        )
        .initial("assistant"),
    ),
});

/** Bound by the command to the backend that the prompts name. */
export const models = { support };
