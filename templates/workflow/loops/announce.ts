import { defineComposite, definePrompt, defineTool } from "turnseal";
import { z } from "zod";

const text = z.object({ text: z.string() });

export const draft = definePrompt({
  id: "draft",
  version: "1.0.0",
  input: z.object({ topic: z.string() }),
  output: text,
  template: "Write an announcement of two sentences about: {{topic}}",
  backend: { id: "script" },
});

/** Replace the body with a call of your own system: the same key must never publish twice. */
export const publish = defineTool({
  id: "publish",
  version: "1.0.0",
  description: "Publishes an announcement",
  input: text,
  output: z.object({ link: z.string() }),
  effect: "idempotent",
  run: (_, { key }) => ({ link: `https://example.com/news/${key.slice(0, 6)}` }),
});

/** Two steps, in this order. Each reads what the input and the steps before it gave. */
export const announce = defineComposite({
  id: "announce",
  version: "1.0.0",
  input: z.object({ topic: z.string() }),
  output: z.object({ text: z.string(), link: z.string() }),
  steps: (steps) =>
    steps
      .call("drafted", draft, ({ input }) => ({ topic: input.topic }))
      .call("published", publish, ({ drafted }) => ({ text: drafted.output.text }))
      .output(({ drafted, published }) => ({
        text: drafted.output.text,
        link: published.output.link,
      })),
});
