import { defineComposite, definePrompt, defineTool, turnseal } from "turnseal";
import { z } from "zod";
import { cite, finding, instructions, page, questions, searchPage } from "./library.ts";

const search = defineTool({
  id: "search",
  input: z.object({ question: z.string() }),
  output: page,
  effect: "read",
  run: ({ question }) => searchPage(question),
});
const read = definePrompt({
  id: "read",
  system: instructions,
  input: z.object({ question: z.string(), url: z.string(), text: z.string() }),
  output: finding,
  template: "Page {{url}}: {{text}}\nQuestion: {{question}}",
  backend: { id: "openai" },
});
const found = z.object({ status: z.string(), output: finding.optional() });
const research = defineComposite({
  id: "research",
  input: z.object({ questions: z.array(z.string()) }),
  output: z.array(found),
  flow: (flow) =>
    flow.forEach(
      "findings",
      ({ input }) => input.questions,
      { as: "question", max: 20, concurrency: 3, onItemError: "continue" },
      (each) =>
        each
          .call("page", search, ({ question }) => ({ question }))
          .call("finding", read, ({ question, page: { output } }) => ({
            question,
            url: output.url,
            text: output.text,
          })),
    ),
});

const grant = { tools: "its tools", budget: { modelCalls: 8 } } as const;
const host = await turnseal();
const outcome = await host.run(research, { questions }, { key: "monday", grant });
console.log(outcome.output ? cite(outcome.output.map((one) => one.output)) : outcome.status);
