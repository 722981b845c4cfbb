import type { InboxMessage, PutAnswer } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import type { World } from "./world.ts";

/** Sends a run a message. A value that no message can carry is refused before it is stored. */
export async function tell(
  { stores, tally }: Pick<World, "stores" | "tally">,
  write: () => InboxMessage,
): Promise<PutAnswer["kind"]> {
  const message = writeOrRefuse(write);
  const answer: PutAnswer =
    message === undefined
      ? { kind: "refused", reason: "unreadable" }
      : await stores.inbox.put(message);
  if (answer.kind === "refused") tally.count(`answer refused at-the-door ${answer.reason}`);
  return answer.kind;
}

/** The key of a message says what it is about, so that not even that can be written of some. */
function writeOrRefuse(write: () => InboxMessage): InboxMessage | undefined {
  try {
    return write();
  } catch (error) {
    if (isLoopError(error) && error.code.startsWith("JSON_")) return undefined;
    throw error;
  }
}
