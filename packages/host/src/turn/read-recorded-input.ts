import type { Content } from "@turnseal/kernel";
import { type BlobRef, isLoopError, type JsonValue } from "@turnseal/protocol";

/**
 * The input of a turn as it was recorded. One that somebody exchanged is another, whatever it says
 * now: the turn does not go on from its record, and ends as drifted.
 */
export async function readRecordedInput(content: Content, input: BlobRef): Promise<JsonValue> {
  try {
    return await content.read(input);
  } catch (error) {
    if (!isLoopError(error) || error.code !== "LOG_CONTENT_CHANGED") throw error;
    return { changed: input.digest };
  }
}
