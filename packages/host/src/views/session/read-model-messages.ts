/**
 * The messages of a model request, as the log has them: what every request of the same call added,
 * up to this one. They are what the model was sent, to the byte.
 */
import { LEFT_OUT } from "@turnseal/kernel";
import type { ModelMessage, Stores } from "@turnseal/ports";
import { invariant, type JsonObject, type JsonValue, type LoopEvent } from "@turnseal/protocol";
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
  if (claim === undefined || !isModelClaim(claim)) return { kind: "missing" };
  const claims = await readConversation(stores, claim);
  const messages: ModelMessage[] = [];
  const names = new Map<string, string>();
  const leftOut = claims.flatMap(listLeftOut);
  for (const item of claims.flatMap(listAdded)) {
    const gone = item["role"] === "tool" ? leftOut.indexOf(String(item["digest"])) : -1;
    if (gone >= 0) {
      leftOut.splice(gone, 1);
      messages.push(toMessage(item, LEFT_OUT, names));
      continue;
    }
    const bytes = await stores.blobs.read(run, String(item["digest"]));
    if (bytes === undefined) return { kind: "missing" };
    const value = JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
    messages.push(toMessage(item, value, names));
  }
  return { kind: "read", messages };
}

function isModelClaim({ type, content }: LoopEvent): boolean {
  return type === "action.claimed" && content["action"] === "model";
}

/** The claims that made the conversation, each the latest with its key, up to this one. */
async function readConversation(
  { log }: Pick<Stores, "log">,
  claim: LoopEvent,
): Promise<readonly LoopEvent[]> {
  const byContext = new Map<string, LoopEvent>();
  const from = await findTurn(log, claim);
  for await (const event of readEvents(log, claim.run, from)) {
    if (event.sequence > claim.sequence) break;
    if (event.call === claim.call && isModelClaim(event))
      byContext.set(String(previousOf(event)), event);
  }
  return [...byContext.values()];
}

function previousOf({ content }: LoopEvent): JsonValue | undefined {
  return (content["context"] as JsonObject | undefined)?.["previous"];
}

function listAdded({ content }: LoopEvent): readonly JsonObject[] {
  const added = (content["context"] as JsonObject | undefined)?.["added"];
  return (Array.isArray(added) ? added : []) as readonly JsonObject[];
}

/** Results that a request is the first to leave out; they stay out, the oldest first. */
function listLeftOut({ content }: LoopEvent): readonly string[] {
  const leftOut = (content["context"] as JsonObject | undefined)?.["leftOut"];
  return (Array.isArray(leftOut) ? leftOut : []).map(String);
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

function toMessage(
  { role, toolCallId }: JsonObject,
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
    default: {
      const id = String(toolCallId);
      invariant(role === "tool", "a conversation has four roles");
      return { role, toolCallId: id, toolName: names.get(id) ?? "", result: value };
    }
  }
}
