import { defineComposite, definePrompt, defineTool, notDone } from "turnseal";
import { z } from "zod";
import { researcher } from "./researcher.ts";

/** Stands for the web: what is not in it cannot be found. */
const pages = [
  { url: "https://example.org/tides", text: "The moon raises two tides a day on most coasts." },
  { url: "https://example.org/moon", text: "The moon circles the earth in about 27 days." },
  { url: "https://example.org/sun", text: "The sun raises tides half as high as the moon does." },
];

const page = z.object({ url: z.string(), text: z.string() });
const finding = z.object({ claim: z.string(), sources: z.array(z.string()) });

export const plan = definePrompt({
  id: "plan-questions",
  version: "1.0.0",
  input: z.object({ topic: z.string() }),
  output: z.object({ questions: z.array(z.string()) }),
  system: "Split a topic into questions that can be looked up one by one.",
  template: "Topic: {{topic}}",
  backend: { id: "researcher" },
});

export const search = defineTool({
  id: "search-pages",
  version: "1.0.0",
  input: z.object({ question: z.string() }),
  output: z.object({ pages: z.array(page) }),
  effect: "read",
  run: ({ question }) => {
    const words = listWords(question);
    const found = pages.filter(({ text }) => listWords(text).some((word) => words.includes(word)));
    if (found.length === 0) throw notDone("no page has these words");
    return { pages: found };
  },
});

export const read = definePrompt({
  id: "read-pages",
  version: "1.0.0",
  input: z.object({ question: z.string(), pages: z.array(page) }),
  output: finding,
  system: "Answer from the pages only, and name the address of each page that you used.",
  template: "Pages: {{pages}}\nQuestion: {{question}}",
  backend: { id: "researcher" },
});

const outcome = z.union([
  z.object({ status: z.literal("ok"), output: finding }),
  z.object({
    status: z.literal("error"),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
]);

/** Numbers the sources. A claim without a page, or with one that was not found, is left out. */
export const cite = defineTool({
  id: "cite",
  version: "1.0.0",
  input: z.object({ questions: z.array(z.string()), findings: z.array(outcome) }),
  output: z.object({ report: z.string(), sources: z.array(z.string()), open: z.array(z.string()) }),
  effect: "read",
  run: ({ questions, findings }) => {
    const sources: string[] = [];
    const lines: string[] = [];
    const open: string[] = [];
    for (const [index, found] of findings.entries()) {
      const used = found.status === "ok" ? found.output.sources : [];
      const isKnown = used.length > 0 && used.every((url) => pages.some((one) => one.url === url));
      if (found.status === "error" || !isKnown) {
        open.push(questions[index] ?? "");
        continue;
      }
      for (const url of used) if (!sources.includes(url)) sources.push(url);
      const marks = used.map((url) => `[${sources.indexOf(url) + 1}]`).join("");
      lines.push(`${found.output.claim} ${marks}`);
    }
    return { report: lines.join("\n"), sources, open };
  },
});

export const research = defineComposite({
  id: "research",
  version: "1.0.0",
  input: z.object({ topic: z.string() }),
  output: z.object({ report: z.string(), sources: z.array(z.string()), open: z.array(z.string()) }),
  flow: (flow) =>
    flow
      .call("planned", plan, ({ input }) => ({ topic: input.topic }), {
        retry: { strategy: "fixed", max: 2 },
      })
      .forEach(
        "findings",
        ({ planned }) => planned.output.questions,
        { as: "question", max: 8, concurrency: 3, onItemError: "continue" },
        (each) =>
          each
            .call("found", search, ({ question }) => ({ question }))
            .call("read", read, ({ question, found }) => ({
              question,
              pages: found.output.pages,
            })),
      )
      .call("cited", cite, ({ planned, findings }) => ({
        questions: planned.output.questions,
        findings: findings.output,
      })),
});

/** Bound by the command to the backend that the prompts name. */
export const models = { researcher };

function listWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3);
}
