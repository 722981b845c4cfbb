import { Annotation, END, Send, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { ChatOpenAI } from "@langchain/openai";
import { cite, type Finding, finding, instructions, questions, searchPage } from "./library.ts";

const model = new ChatOpenAI({ model: "gpt-5-mini" }).withStructuredOutput(finding);
type Found = { readonly index: number; readonly finding: Finding | undefined };
const State = Annotation.Root({
  questions: Annotation<string[]>,
  found: Annotation<Found[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
});
type Item = { readonly index: number; readonly question: string };

async function research({ index, question }: Item): Promise<{ found: Found[] }> {
  try {
    const page = await searchPage(question);
    const prompt = `Page ${page.url}: ${page.text}\nQuestion: ${question}`;
    const answer = await model.invoke([
      { role: "system", content: instructions },
      { role: "user", content: prompt },
    ]);
    return { found: [{ index, finding: answer }] };
  } catch {
    return { found: [{ index, finding: undefined }] };
  }
}

const checkpointer = PostgresSaver.fromConnString(process.env["DATABASE_URL"] ?? "");
await checkpointer.setup();
const graph = new StateGraph(State)
  .addNode("research", research)
  .addConditionalEdges(START, (state) =>
    state.questions.map((question, index) => new Send("research", { index, question })),
  )
  .addEdge("research", END)
  .compile({ checkpointer });

const config = { configurable: { thread_id: "monday" }, maxConcurrency: 3 };
const started = (await graph.getState(config)).createdAt !== undefined;
const { found } = await graph.invoke(started ? null : { questions }, config);
console.log(cite(found.toSorted((a, b) => a.index - b.index).map((one) => one.finding)));
await checkpointer.end();
