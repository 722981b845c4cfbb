import { openai } from "@ai-sdk/openai";
import { generateText, Output } from "ai";
import { cite, type Finding, finding, instructions, questions, searchPage } from "./library.ts";

async function research(question: string): Promise<Finding> {
  const page = await searchPage(question);
  const { output } = await generateText({
    model: openai("gpt-5-mini"),
    system: instructions,
    prompt: `Page ${page.url}: ${page.text}\nQuestion: ${question}`,
    output: Output.object({ schema: finding }),
  });
  return output;
}

const found: (Finding | undefined)[] = questions.map(() => undefined);
const waiting = [...questions.entries()];
const worker = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [index, question] = next;
    found[index] = await research(question).catch(() => undefined);
  }
};
await Promise.all(Array.from({ length: 3 }, worker));
console.log(cite(found));
