import { defineComposite, definePrompt, defineTool } from "turnseal";
import { z } from "zod";
import { backend } from "./model.ts";

const pages: Readonly<Record<string, string>> = {
  tides: "The moon raises two tides a day on most coasts. The sun raises smaller ones.",
  moon: "The moon circles the earth in about 27 days. Its far side was first seen in 1959.",
  comets: "Comets are ice and dust from the edge of the solar system.",
};

/** Replace the body with a search of your own. An item without a page fails, and only that item. */
export const search = defineTool({
  id: "search",
  version: "1.0.0",
  input: z.object({ topic: z.string() }),
  output: z.object({ page: z.string() }),
  effect: "read",
  run: ({ topic }) => {
    const page = pages[topic];
    if (page === undefined) throw new Error(`no page about ${topic}`);
    return { page };
  },
});

export const summarize = definePrompt({
  id: "summarize",
  version: "1.0.0",
  system: "Summarize the page in one sentence. Use nothing but the page.",
  input: z.object({ topic: z.string(), page: z.string() }),
  output: z.object({ text: z.string() }),
  template: "Topic: {{topic}}\nPage: {{page}}",
  backend,
});

const found = z.union([
  z.object({ status: z.literal("ok"), output: z.object({ text: z.string() }) }),
  z.object({
    status: z.literal("error"),
    error: z.object({ code: z.string(), message: z.string(), reason: z.string().optional() }),
  }),
]);
const report = z.object({
  done: z.int(),
  failed: z.int(),
  rows: z.array(z.object({ topic: z.string(), summary: z.string(), problem: z.string() })),
});

/** Labels each result with its topic: results come in the order of the topics. */
export const collect = defineTool({
  id: "collect",
  version: "1.0.0",
  input: z.object({ topics: z.array(z.string()), found: z.array(found) }),
  output: report,
  effect: "read",
  run: ({ topics, found }) => {
    const rows = found.map((each, index) => ({
      topic: topics[index] ?? "",
      summary: each.status === "ok" ? each.output.text : "",
      // The reason is what the tool said, the message what kind of failure it is.
      problem: each.status === "ok" ? "" : (each.error.reason ?? each.error.message),
    }));
    const failed = rows.filter(({ problem }) => problem !== "").length;
    return { done: rows.length - failed, failed, rows };
  },
});

/** At most 50 topics, 4 at once. A failed item is reported, and the others go on. */
export const research = defineComposite({
  id: "research",
  version: "1.0.0",
  input: z.object({ topics: z.array(z.string()) }),
  output: report,
  flow: (flow) =>
    flow
      .forEach(
        "found",
        ({ input }) => input.topics,
        { as: "topic", max: 50, concurrency: 4, onItemError: "continue" },
        (each) =>
          each
            .call("searched", search, ({ topic }) => ({ topic }))
            .call("summary", summarize, ({ topic, searched }) => ({
              topic,
              page: searched.output.page,
            })),
      )
      .call("report", collect, ({ input, found }) => ({
        topics: input.topics,
        found: found.output,
      })),
});
