/** Records the answers of a run's model and tools, as the scripts of a harness. */
import {
  type ActionKind,
  type ClaimOf,
  type EventOf,
  isClaimOf,
  isSettledOf,
  type JsonValue,
  type LoopEvent,
  type ModelContent,
  nameAction,
} from "@turnseal/protocol";
import type { Reply, ToolReply, ToolScript } from "./harness.ts";
import { FixtureError, type RunTree } from "./read-tree.ts";

export async function recordModel(tree: RunTree): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const claim of listClaims(tree, "model")) {
    const end = findEnd(tree, claim);
    const asked = await readPrompt(tree, claim);
    const about = asked === undefined ? {} : { asked };
    replies.push({ ...(await toReply(tree, end)), ...about });
  }
  return replies;
}

export async function recordTools(tree: RunTree): Promise<Record<string, ToolScript>> {
  const scripts = new Map<string, ToolScript & { readonly results: ToolReply[] }>();
  for (const claim of listClaims(tree, "tool")) {
    const { tool: name, effect, build, request } = claim.content;
    if (effect === "repeatable") throw new FixtureError(`${name} is no tool`);
    const script = scripts.get(name) ?? { effect, build, results: [] };
    scripts.set(name, script);
    const end = findEnd(tree, claim);
    const given = await tree.read(claim, request);
    if (isSettledOf("tool", end) && end.content.refused !== undefined)
      throw new FixtureError(`${name} answered with what is not plain JSON`);
    script.results.push({ ...(await toToolReply(tree, end)), given });
  }
  return Object.fromEntries(scripts);
}

async function toToolReply(tree: RunTree, end: EndEvent): Promise<ToolReply> {
  if (end.type !== "action.settled") return { unsure: true };
  if (end.content.status === "ok") return { result: await tree.read(end, end.content.result) };
  return readFailure(tree, end);
}

/** What was tried; an attempt that a crash cut off and that was made again is none. */
function listClaims<Kind extends ActionKind>(tree: RunTree, kind: Kind): ClaimOf<Kind>[] {
  return tree.all
    .filter((event) => isClaimOf(kind, event))
    .filter((event) => !tree.isTakenBack(event));
}

type EndEvent = EventOf<"action.settled" | "action.resolved" | "action.unknown">;

/**
 * Finds how a claim ended: settled, resolved by a person, or unknown while a person is asked. An
 * attempt that was cut off without a question is no answer.
 */
function findEnd(
  { all }: RunTree,
  { run, turn, sequence, content }: EventOf<"action.claimed">,
): EndEvent {
  const own = all.filter((event) => event.run === run && event.turn === turn);
  const about = own.filter(isEnd).filter((event) => event.content.claim === sequence);
  const end = about.find(({ type }) => type !== "action.unknown");
  const status = end?.type === "action.settled" ? end.content.status : undefined;
  const isSaid = end?.type === "action.resolved" && end.actor.kind === "person";
  if (end !== undefined && (isSaid || status === "ok" || status === "failed")) return end;
  const unknown = about.find(({ type }) => type === "action.unknown");
  const isOpen = !own.some(({ type }) => type === "turn.closed");
  if (end === undefined && unknown !== undefined && isOpen) return unknown;
  const name = nameAction(content);
  throw new FixtureError(`${name} was cut off, so its result is not known`);
}

function isEnd(event: LoopEvent): event is EndEvent {
  return (
    event.type === "action.settled" ||
    event.type === "action.resolved" ||
    event.type === "action.unknown"
  );
}

async function toReply(tree: RunTree, end: EndEvent): Promise<Reply> {
  if (!isSettledOf("model", end) || end.content.status !== "ok") return readFailure(tree, end);
  const { inputTokens, outputTokens, finishReason } = end.content;
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = end.content;
  const result = await tree.read(end, end.content.result);
  const content = result as unknown as readonly ModelContent[];
  // A script has no usage that the provider did not count.
  const usage =
    inputTokens === undefined || outputTokens === undefined
      ? undefined
      : {
          inputTokens,
          outputTokens,
          ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
          ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
          ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
        };
  const isCalling = content.some(({ kind }) => kind === "tool-call");
  const isUsual = finishReason === (isCalling ? "tool-calls" : "stop");
  return {
    ...toSaid(content),
    ...(usage === undefined ? {} : { usage }),
    ...(isUsual ? {} : { finishReason: String(finishReason) }),
  };
}

async function readFailure(
  tree: RunTree,
  end: EndEvent,
): Promise<{ readonly failure: string; readonly mayRetry?: boolean }> {
  const reason = end.type === "action.resolved" ? undefined : end.content.reason;
  const words = reason === undefined ? "" : String(await tree.read(end, reason));
  const mayRetry =
    end.type === "action.settled" &&
    end.content.action !== "handoff" &&
    end.content.retry === "retry";
  return { failure: words === "" ? "failed" : words, ...(mayRetry ? { mayRetry } : {}) };
}

/** As people would write it, where that says the same; else as it was. */
function toSaid(content: readonly ModelContent[]): Pick<Reply, "text" | "toolCalls" | "content"> {
  const [first] = content;
  if (content.length === 1 && first?.kind === "text") return { text: first.text };
  const toolCalls = content.map(toCall).filter((call) => call !== undefined);
  return toolCalls.length === content.length && content.length > 0 ? { toolCalls } : { content };
}

function toCall(
  part: ModelContent,
): { readonly tool: string; readonly input: JsonValue } | undefined {
  if (part.kind !== "tool-call") return undefined;
  try {
    const input = JSON.parse(part.input) as JsonValue;
    return JSON.stringify(input) === part.input ? { tool: part.toolName, input } : undefined;
  } catch {
    return undefined;
  }
}

/** The prompt of a first round: the latest words in the user's role. */
async function readPrompt(tree: RunTree, claim: ClaimOf<"model">): Promise<string | undefined> {
  const prompt = claim.content.context.added.findLast(({ role }) => role === "user");
  return prompt === undefined ? undefined : String(await tree.read(claim, prompt));
}
