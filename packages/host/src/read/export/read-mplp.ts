import type { Stores } from "@turnseal/ports";
import type { BlobRef, JsonValue, LoopEvent } from "@turnseal/protocol";
import { followMplp, type MplpEvent } from "@turnseal/views/mplp";
import { readEvents } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";

/** The events of MPLP of a run; with the words of people on request. */
export async function* readMplp(
  stores: Pick<Stores, "log" | "blobs">,
  run: string,
  { content = false }: { readonly content?: boolean | undefined } = {},
): AsyncGenerator<MplpEvent> {
  const words = new Map<string, JsonValue>();
  const follow = followMplp(run, ({ digest }) => words.get(digest));
  for await (const event of readEvents(stores.log, run, 1)) {
    words.clear();
    const reference = content ? wordsOf(event) : undefined;
    if (reference !== undefined) {
      const value = await readContent(stores, run, reference);
      if (value !== undefined) words.set(reference.digest, value);
    }
    yield* follow(event);
  }
}

/** The person's words with an event. */
function wordsOf(event: LoopEvent): BlobRef | undefined {
  if (event.type === "run.started") return event.content.input;
  if (event.type === "signal.received" && event.content.kind === "signal")
    return event.content.payload;
  return event.type === "question.answered" ? event.content.answer : undefined;
}
