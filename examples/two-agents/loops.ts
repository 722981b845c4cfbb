import { defineComposite, definePrompt } from "turnseal";
import { z } from "zod";

const draft = z.object({ text: z.string() });

export const write = definePrompt({
  id: "write-draft",
  version: "1.0.0",
  input: z.object({ topic: z.string() }),
  output: draft,
  system: "You write short notices.",
  template: "Write a notice about {{topic}}.",
});

export const review = definePrompt({
  id: "review-draft",
  version: "1.0.0",
  input: z.object({ topic: z.string(), draft: z.string() }),
  output: z.object({ remarks: z.array(z.string()) }),
  system: "You review notices. You never rewrite them.",
  template: "Topic: {{topic}}\nDraft: {{draft}}\nWhat should change?",
});

export const revise = definePrompt({
  id: "revise-draft",
  version: "1.0.0",
  input: z.object({ draft: z.string(), remarks: z.array(z.string()) }),
  output: draft,
  system: "You write short notices.",
  template: "Draft: {{draft}}\nRemarks: {{remarks}}\nRewrite the notice.",
});

export const notice = defineComposite({
  id: "notice",
  version: "1.0.0",
  input: z.object({ topic: z.string() }),
  output: z.object({ text: z.string(), remarks: z.array(z.string()) }),
  steps: (steps) =>
    steps
      .call("first", write, ({ input }) => ({ topic: input.topic }))
      .call("opinion", review, ({ input, first }) => ({
        topic: input.topic,
        draft: first.output.text,
      }))
      .call("second", revise, ({ first, opinion }) => ({
        draft: first.output.text,
        remarks: opinion.output.remarks,
      }))
      .output(({ second, opinion }) => ({
        text: second.output.text,
        remarks: opinion.output.remarks,
      })),
});
