/** What is looked up, the same for the three programs beside this file. */
import { z } from "zod";

export const questions = ["tides", "moon", "sun", "bread", "yeast", "salt"];
export const instructions = "Answer from the pages only, and name the address of the page.";
export const page = z.object({ url: z.string(), text: z.string() });
export const finding = z.object({ claim: z.string(), source: z.string() });
export type Finding = z.infer<typeof finding>;

/** Finds the page for a question, or fails. */
export async function searchPage(question: string): Promise<z.infer<typeof page>> {
  const response = await fetch(`${process.env["SEARCH_URL"]}/${question}`);
  if (!response.ok) throw new Error(`the search failed with ${response.status}`);
  return page.parse(await response.json());
}

/** Numbers the sources of what was found. */
export function cite(found: readonly (Finding | undefined)[]): string {
  const known = found.flatMap((one) => one ?? []);
  const claims = known.map(({ claim }, index) => `${claim} [${index + 1}]`);
  const sources = known.map(({ source }, index) => `[${index + 1}] ${source}`);
  return [...claims, ...sources, `without an answer: ${found.length - known.length}`].join("\n");
}
