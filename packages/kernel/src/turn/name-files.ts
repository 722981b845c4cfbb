import type { ContentOf, JsonValue } from "@turnseal/protocol";
import { listFiles, toBlobRef } from "@turnseal/protocol/files";

/** Files of an input that the start of a turn names. */
const INPUT_FILES_MAX = 256;

/** The files that an input names, as an event does. */
export function nameFiles(input: JsonValue): Pick<ContentOf<"turn.started">, "files"> {
  const files = listFiles(input, INPUT_FILES_MAX).map(toBlobRef);
  return files.length === 0 ? {} : { files };
}
