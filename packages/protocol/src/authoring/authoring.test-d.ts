/**
 * Uses that must compile, and uses that must not. `tsc -b` is the test: an expected error that is
 * missing is itself an error.
 */
import { type } from "arktype";
import { z } from "zod";
import { orElse, text } from "./compute.ts";
import { defineComposite } from "./define-composite.ts";
import { definePrompt } from "./define-prompt.ts";
import { defineTool } from "./define-tool.ts";
import { jsonSchema } from "./json-schema-source.ts";
import type { InputOf, Loop, OutputOf } from "./loop.ts";

type Equal<Left, Right> =
  (<Probe>() => Probe extends Left ? 1 : 2) extends <Probe>() => Probe extends Right ? 1 : 2
    ? true
    : false;
const holds = <Claim extends true>(claim: Claim): Claim => claim;

const question = z.object({ question: z.string() });
const passages = z.object({ passages: z.array(z.object({ text: z.string() })) });
const answer = z.object({ text: z.string() });

const search = defineTool({
  id: "search",
  version: "1.0.0",
  input: z.object({ query: z.string(), limit: z.number().optional() }),
  output: passages,
  run: ({ query, limit = 3 }) => ({
    passages: Array.from({ length: limit }, () => ({ text: query })),
  }),
});
const respond = definePrompt({
  id: "respond",
  version: "1.0.0",
  input: z.object({ question: z.string(), passages: z.array(z.object({ text: z.string() })) }),
  output: answer,
  template: "Answer {{ question }} from {{passages}}.",
});

// Input and output are inferred end to end, from each way to write a schema.
holds<Equal<InputOf<typeof search>, { query: string; limit?: number | undefined }>>(true);
holds<Equal<OutputOf<typeof respond>, { text: string }>>(true);

const byArktype = defineTool({
  id: "by-arktype",
  version: "1.0.0",
  input: type({ count: "number" }),
  output: type({ double: "number" }),
  run: async ({ count }) => ({ double: count * 2 }),
});
holds<Equal<InputOf<typeof byArktype>, { count: number }>>(true);

const byHand = defineTool({
  id: "by-hand",
  version: "1.0.0",
  input: jsonSchema<{ a: number }>({ type: "object" }),
  output: jsonSchema<{ b: number }>({ type: "object" }),
  run: ({ a }) => ({ b: a }),
});
holds<Equal<OutputOf<typeof byHand>, { b: number }>>(true);

const composite = defineComposite({
  id: "answer",
  version: "1.0.0",
  input: question,
  output: answer,
  steps: (steps) =>
    steps
      .call("found", search, ({ input }) => ({ query: input.question, limit: 5 }))
      .call("reply", respond, ({ input, found }) => ({
        question: input.question,
        passages: found.output.passages,
      })),
});
holds<Equal<typeof composite, Loop<{ question: string }, { text: string }>>>(true);

// An optional field may be absent in a mapping, a reference may stand for an item of a list, and an
// output mapping has the types of its references.
defineComposite({
  id: "first",
  version: "1.0.0",
  input: question,
  output: answer,
  steps: (steps) =>
    steps
      .call("found", search, ({ input }) => ({ query: input.question }))
      .output(({ found }) => ({ text: found.output.passages[-1].text })),
});
defineComposite({
  id: "constants",
  version: "1.0.0",
  input: question,
  output: z.object({ mood: z.enum(["calm", "wild"]), tags: z.array(z.string()) }),
  steps: (steps) =>
    steps
      .call("found", search, ({ input }) => ({ query: input.question }))
      .output(() => ({ mood: "calm", tags: ["a", "b"] })),
});

defineComposite({
  id: "constant-list",
  version: "1.0.0",
  input: question,
  output: answer,
  steps: (steps) =>
    steps.call("reply", respond, ({ input }) => ({
      question: input.question,
      passages: [{ text: "a" }],
    })),
});

defineTool({
  id: "wrong-run-input",
  version: "1.0.0",
  input: question,
  output: answer,
  // @ts-expect-error The function reads a field that the input does not have.
  run: ({ missing }) => ({ text: String(missing) }),
});

defineTool({
  id: "wrong-run-output",
  version: "1.0.0",
  input: question,
  output: answer,
  // @ts-expect-error The function returns a number where the output has a text.
  run: () => ({ text: 1 }),
});

definePrompt({
  id: "wrong-variable",
  version: "1.0.0",
  input: question,
  output: answer,
  // @ts-expect-error The template names a field that the input does not have.
  template: "Answer {{question}} for {{audience}}.",
});

const compositeHeader = { id: "refused", version: "1.0.0", input: question, output: answer };

defineComposite({
  ...compositeHeader,
  input: z.object({ question: z.number() }),
  output: passages,
  // @ts-expect-error The step wants a text and the input has a number.
  steps: (steps) => steps.call("found", search, ({ input }) => ({ query: input.question })),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  // @ts-expect-error A constant has the wrong type.
  steps: (steps) => steps.call("found", search, () => ({ query: 7 })),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  // @ts-expect-error No step is bound to this name.
  steps: (steps) => steps.call("found", search, ({ earlier }) => ({ query: earlier.output.text })),
});

defineComposite({
  ...compositeHeader,
  steps: (steps) =>
    steps
      .call("found", search, ({ input }) => ({ query: input.question }))
      .call("reply", respond, ({ input, found }) => ({
        question: input.question,
        // @ts-expect-error The output of the step has no such field.
        passages: found.output.documents,
      })),
});

defineComposite({
  ...compositeHeader,
  steps: (steps) =>
    steps
      .call("found", search, ({ input }) => ({ query: input.question }))
      // @ts-expect-error The output of the step is a list of objects, not a text.
      .call("reply", respond, ({ found }) => ({ question: found.output.passages, passages: [] })),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  steps: (steps) =>
    steps
      .call("found", search, ({ input }) => ({ query: input.question }))
      // @ts-expect-error The binding is taken by the step before.
      .call("found", search, ({ input }) => ({ query: input.question })),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  // @ts-expect-error `input` is the name of the composite's own input.
  steps: (steps) => steps.call("input", search, ({ input }) => ({ query: input.question })),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  // @ts-expect-error `steps` is the name of the list of results.
  steps: (steps) => steps.call("steps", search, ({ input }) => ({ query: input.question })),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  // @ts-expect-error The mapping leaves out a required field.
  steps: (steps) => steps.call("found", search, () => ({ limit: 1 })),
});

defineComposite({
  ...compositeHeader,
  output: answer,
  // @ts-expect-error The last step's output is not the composite's output.
  steps: (steps) => steps.call("found", search, ({ input }) => ({ query: input.question })),
});

defineComposite({
  ...compositeHeader,
  // @ts-expect-error A composite without a step has no output.
  steps: (steps) => steps,
});

defineComposite({
  ...compositeHeader,
  input: z.object({ query: z.string() }),
  output: passages,
  // @ts-expect-error A mapping is written field by field: one reference is not a mapping.
  steps: (steps) => steps.call("found", search, ({ input }) => input),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  // @ts-expect-error A reference is known only when the loop runs: a text has methods, it has none.
  steps: (steps) => steps.call("found", search, ({ input }) => ({ query: input.question.trim() })),
});

defineComposite({
  ...compositeHeader,
  input: z.object({ question: z.string().optional() }),
  output: passages,
  // @ts-expect-error What may be absent cannot fill a required field.
  steps: (steps) => steps.call("found", search, ({ input }) => ({ query: input.question })),
});

defineComposite({
  ...compositeHeader,
  // @ts-expect-error The output mapping gives a list where the composite's output has a text.
  steps: (steps) =>
    steps
      .call("found", search, ({ input }) => ({ query: input.question }))
      .output(({ found }) => ({ text: found.output.passages })),
});

// Computed values have the types of what they are made of.
const noted = defineTool({
  id: "noted",
  version: "1.0.0",
  input: z.object({ text: z.string(), size: z.number(), mood: z.enum(["calm", "wild"]) }),
  output: answer,
  run: ({ text }) => ({ text }),
});
const notes = z.object({
  question: z.string(),
  size: z.number().optional(),
  mood: z.enum(["calm", "wild"]).nullable(),
});
const computed = defineComposite({
  ...compositeHeader,
  input: notes,
  steps: (steps) =>
    steps
      .call("first", noted, ({ input }) => ({
        text: text`About ${input.question}`,
        size: orElse(input.size, 3),
        mood: orElse(input.mood, "calm"),
      }))
      .output(({ first }) => ({ text: text`It is ${first.output.text}` })),
});
holds<Equal<OutputOf<typeof computed>, { text: string }>>(true);

defineComposite({
  ...compositeHeader,
  input: notes,
  steps: (steps) =>
    steps.call("first", noted, ({ input }) => ({
      text: input.question,
      // @ts-expect-error A default of another type does not fit.
      size: orElse(input.size, "3"),
      // @ts-expect-error A default that is not one of the words does not fit.
      mood: orElse(input.mood, "mad"),
    })),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  steps: (steps) =>
    steps.call("found", search, ({ input }) => ({
      // @ts-expect-error A template literal is a text before anything is known.
      query: `About ${input.question}`,
    })),
});

defineComposite({
  ...compositeHeader,
  output: passages,
  steps: (steps) =>
    steps.call("found", search, ({ input }) => ({
      query: input.question,
      // @ts-expect-error The step has no such field.
      limits: 3,
    })),
});
