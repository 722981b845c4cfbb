import type { Content } from "@turnseal/kernel";
import { type BlobRef, isLoopError, type JsonValue } from "@turnseal/protocol";

/**
 * The input of a turn as it was recorded. An exchanged input is not trusted: the turn ends as
 * drifted instead of going on from its record.
 */
export async function readRecordedInput(content: Content, input: BlobRef): Promise<JsonValue> {
  try {
    return await content.read(input);
  } catch (error) {
    if (!isLoopError(error) || error.code !== "LOG_CONTENT_CHANGED") throw error;
    return { changed: input.digest };
  }
}
