import { defineComposite, definePrompt, defineTool, is, text } from "turnseal";
import { z } from "zod";
import { tracker } from "./tracker.ts";
import { triager } from "./triager.ts";

const issue = z.object({ number: z.int(), title: z.string(), body: z.string() });
const done = z.object({ number: z.int(), did: z.string() });

export const classify = definePrompt({
  id: "classify-issue",
  version: "1.0.0",
  input: z.object({ title: z.string(), body: z.string() }),
  output: z.object({ kind: z.enum(["bug", "question", "spam"]), reply: z.string() }),
  system: "Say what an issue is, and answer a question in one sentence.",
  template: "Title: {{title}}\nBody: {{body}}",
  backend: { id: "triager" },
});

export const label = defineTool({
  id: "label-issue",
  version: "1.0.0",
  description: "Adds a label to an issue",
  input: z.object({ number: z.int(), label: z.string() }),
  output: done,
  effect: "idempotent",
  run: ({ number, label: name }) => tracker.do(number, `labelled ${name}`),
});

export const comment = defineTool({
  id: "comment-issue",
  version: "1.0.0",
  description: "Answers an issue, for all to read",
  input: z.object({ number: z.int(), text: z.string() }),
  output: done,
  effect: "once",
  run: ({ number, text: words }) => tracker.do(number, `answered "${words}"`),
});

export const close = defineTool({
  id: "close-issue",
  version: "1.0.0",
  description: "Closes an issue",
  input: z.object({ number: z.int(), reason: z.string() }),
  output: done,
  effect: "once",
  undo: "an issue can be opened again",
  run: ({ number, reason }) => tracker.do(number, `closed: ${reason}`),
});

export const triage = defineComposite({
  id: "triage",
  version: "1.0.0",
  input: z.object({ issues: z.array(issue) }),
  output: z.array(
    z.union([
      z.object({ status: z.literal("ok"), output: done }),
      z.object({
        status: z.literal("error"),
        error: z.object({ code: z.string(), message: z.string() }),
      }),
    ]),
  ),
  flow: (flow) =>
    flow.forEach(
      "triaged",
      ({ input }) => input.issues,
      { as: "issue", max: 50, concurrency: 4, onItemError: "continue" },
      (each) =>
        each
          .call("seen", classify, (known) => ({
            title: known.issue.title,
            body: known.issue.body,
          }))
          .branch(
            "acted",
            [
              {
                when: ({ seen }) => is(seen.output.kind, "spam"),
                do: (spam) =>
                  spam.call("closed", close, (known) => ({
                    number: known.issue.number,
                    reason: text`spam: ${known.issue.title}`,
                  })),
              },
              {
                when: ({ seen }) => is(seen.output.kind, "question"),
                do: (question) =>
                  question.call("answered", comment, ({ issue: about, seen }) => ({
                    number: about.number,
                    text: seen.output.reply,
                  })),
              },
            ],
            {
              else: (bug) =>
                bug.call("labelled", label, (known) => ({
                  number: known.issue.number,
                  label: "bug",
                })),
            },
          ),
    ),
});

/** Bound by the command to the backend that the prompts name. */
export const models = { triager };
