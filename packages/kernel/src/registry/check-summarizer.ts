/**
 * Checks a summarizer: it reads text by others, so it may have no tools that such text could make
 * it use.
 */
import type { Problem } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { nameSummarizer, SUMMARIZER_PATH } from "./list-references.ts";

type Resolve = (id: string, version?: string) => CheckedLoop | undefined;

/** Finds what is wrong with a prompt's summarizer; a missing one is another problem. */
export function checkSummarizer({ definition }: CheckedLoop, resolve: Resolve): Problem[] {
  const reference = nameSummarizer(definition.prompt);
  const summarizer =
    reference === undefined ? undefined : resolve(reference.loopId, reference.loopVersion);
  const message = summarizer === undefined ? undefined : findUnfit(summarizer);
  if (message === undefined) return [];
  const mend = "name a prompt without tools and without a thread";
  return [{ rule: "setting-unfit", path: SUMMARIZER_PATH, message, mend }];
}

function findUnfit({ definition: { id, prompt } }: CheckedLoop): string | undefined {
  if (prompt === undefined) return `${id} is no prompt`;
  if (prompt.tools !== undefined) return `${id} offers tools to its model`;
  if (prompt.thread !== undefined && prompt.thread !== false) return `${id} has a thread`;
  return undefined;
}
