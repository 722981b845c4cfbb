import { defineComposite, definePrompt, defineTool } from "turnseal";
import { z } from "zod";

const corpus = [
  { title: "Tides", text: "The moon raises two tides a day on most coasts." },
  { title: "Moon", text: "The moon circles the earth once in about 27 days." },
  { title: "Bread", text: "Dough rises because yeast makes gas from sugar." },
];

const passages = z.array(z.object({ title: z.string(), text: z.string() }));

export const retrieve = defineTool({
  id: "retrieve",
  version: "1.0.0",
  input: z.object({ query: z.string() }),
  output: z.object({ passages }),
  effect: "read",
  run: ({ query }, context) => {
    const words = listWords(query);
    const found = corpus.filter(({ text }) => listWords(text).some((word) => words.includes(word)));
    context.log("info", `found ${found.length} of ${corpus.length} passages`);
    return { passages: found };
  },
});

export const answer = definePrompt({
  id: "answer-from-passages",
  version: "1.0.0",
  input: z.object({ question: z.string(), passages }),
  output: z.object({ text: z.string(), sources: z.array(z.string()) }),
  system: "Answer from the passages only, and name the titles that you used.",
  template: "Passages: {{passages}}\nQuestion: {{question}}",
});

export const rag = defineComposite({
  id: "rag",
  version: "1.0.0",
  input: z.object({ question: z.string() }),
  output: z.object({ text: z.string(), sources: z.array(z.string()) }),
  steps: (steps) =>
    steps
      .call("found", retrieve, ({ input }) => ({ query: input.question }))
      .call("reply", answer, ({ input, found }) => ({
        question: input.question,
        passages: found.output.passages,
      })),
});

function listWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3);
}
