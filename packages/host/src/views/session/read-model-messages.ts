/**
 * The messages of a model request, as the log has them: what every request of the same call added,
 * up to this one. They are what the model was sent, to the byte.
 */
import { LEFT_OUT } from "@turnseal/kernel";
import type { ModelMessage, Stores } from "@turnseal/ports";
import { type ClaimOf, isClaimOf, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import { readEvents } from "../../projection/load-projection.ts";

export type ReadRequest =
  | { readonly kind: "read"; readonly messages: readonly ModelMessage[] }
  /** Some of it was erased, or the log has no such request. */
  | { readonly kind: "missing" };

/** Reads the request that the event with this number claimed. */
export async function readModelMessages(
  stores: Pick<Stores, "log" | "blobs">,
  run: string,
  sequence: number,
): Promise<ReadRequest> {
  const [claim] = await stores.log.read(run, sequence, 1);
  if (claim === undefined || !isClaimOf("model", claim)) return { kind: "missing" };
  const claims = await readConversation(stores, claim);
  const messages: ModelMessage[] = [];
  const names = new Map<string, string>();
  // Results that a request is the first to leave out; they stay out, the oldest first.
  const leftOut = claims.flatMap(({ content }) => content.context.leftOut ?? []);
  for (const item of claims.flatMap(({ content }) => content.context.added)) {
    const gone = item.role === "tool" ? leftOut.indexOf(item.digest) : -1;
    if (gone >= 0) {
      leftOut.splice(gone, 1);
      messages.push(toMessage(item, LEFT_OUT, names));
      continue;
    }
    const bytes = await stores.blobs.read(run, item.digest);
    if (bytes === undefined) return { kind: "missing" };
    const value = JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
    messages.push(toMessage(item, value, names));
  }
  return { kind: "read", messages };
}

/** The claims that made the conversation, each the latest with its key, up to this one. */
async function readConversation(
  { log }: Pick<Stores, "log">,
  claim: ClaimOf<"model">,
): Promise<readonly ClaimOf<"model">[]> {
  const byContext = new Map<string | null, ClaimOf<"model">>();
  const from = await findTurn(log, claim);
  for await (const event of readEvents(log, claim.run, from)) {
    if (event.sequence > claim.sequence) break;
    if (event.call === claim.call && isClaimOf("model", event))
      byContext.set(event.content.context.previous, event);
  }
  return [...byContext.values()];
}

/** Events that are read at once to find where the turn began. */
const LOOK_BACK = 128;

async function findTurn(log: Stores["log"], { run, sequence }: LoopEvent): Promise<number> {
  for (let end = sequence; end > 1; ) {
    const from = Math.max(1, end - LOOK_BACK);
    const events = await log.read(run, from, end - from);
    const started = events.findLast(({ type }) => type === "turn.started");
    if (started !== undefined) return started.sequence;
    end = from;
  }
  return 1;
}

type ContextEntry = ClaimOf<"model">["content"]["context"]["added"][number];

function toMessage(
  { role, toolCallId = "" }: ContextEntry,
  value: JsonValue,
  names: Map<string, string>,
): ModelMessage {
  switch (role) {
    case "system":
    case "user":
      return { role, text: String(value) };
    case "assistant": {
      const content = value as unknown as Extract<ModelMessage, { role: "assistant" }>["content"];
      for (const part of content)
        if (part.kind === "tool-call") names.set(part.toolCallId, part.toolName);
      return { role, content };
    }
    case "tool":
      return { role, toolCallId, toolName: names.get(toolCallId) ?? "", result: value };
  }
}
