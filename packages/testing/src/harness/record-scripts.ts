/** What the model and the tools of a run said, as the scripts of a harness. */
import type { ModelContent, ModelUsage } from "@turnseal/ports";
import {
  type Effect,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
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
    const { tool, effect, build } = claim.content;
    const name = String(tool);
    const facts = { effect: String(effect) as Effect, build: String(build) };
    const script = scripts.get(name) ?? { ...facts, results: [] };
    scripts.set(name, script);
    const end = findEnd(tree, claim);
    const given = await tree.read(claim, "request");
    if (end.content["refused"] !== undefined)
      throw new FixtureError(`${name} answered with what is not plain JSON`);
    script.results.push({ ...(await toToolReply(tree, end)), given });
  }
  return Object.fromEntries(scripts);
}

async function toToolReply(tree: RunTree, end: LoopEvent): Promise<ToolReply> {
  if (end.type !== "action.settled") return { unsure: true };
  if (end.content["status"] === "ok") return { result: await tree.read(end, "result") };
  return readFailure(tree, end);
}

/** What was tried; an attempt that a crash cut off and that was made again is none. */
function listClaims(tree: RunTree, action: "model" | "tool"): LoopEvent[] {
  return tree.all.filter(
    (event) =>
      event.type === "action.claimed" &&
      event.content["action"] === action &&
      !tree.isTakenBack(event),
  );
}

/**
 * How a claim ended: settled, resolved by a person, or unknown while somebody is asked. A cut that
 * nobody was asked about is no answer.
 */
function findEnd({ all }: RunTree, { run, turn, sequence, content }: LoopEvent): LoopEvent {
  const own = all.filter((event) => event.run === run && event.turn === turn);
  const about = own.filter((event) => event.content["claim"] === sequence);
  const end = about.find(({ type }) => type === "action.settled" || type === "action.resolved");
  const status = end?.content["status"];
  const isSaid = end?.type === "action.resolved" && end.actor.kind === "person";
  if (end !== undefined && (isSaid || status === "ok" || status === "failed")) return end;
  const unknown = about.find(({ type }) => type === "action.unknown");
  const isOpen = !own.some(({ type }) => type === "turn.closed");
  if (end === undefined && unknown !== undefined && isOpen) return unknown;
  const name = content["tool"] ?? `${content["backend"]}/${content["model"]}`;
  throw new FixtureError(`${name} was cut off, so its result is not known`);
}

async function toReply(tree: RunTree, end: LoopEvent): Promise<Reply> {
  const { status, inputTokens, outputTokens, finishReason } = end.content;
  if (status !== "ok") return readFailure(tree, end);
  const content = (await tree.read(end, "result")) as unknown as readonly ModelContent[];
  // What the provider did not count, a script does not say either.
  const isCounted = inputTokens !== undefined && outputTokens !== undefined;
  const usage = { inputTokens, outputTokens } as unknown as ModelUsage;
  const isCalling = content.some(({ kind }) => kind === "tool-call");
  const isUsual = finishReason === (isCalling ? "tool-calls" : "stop");
  return {
    ...toSaid(content),
    ...(isCounted ? { usage } : {}),
    ...(isUsual ? {} : { finishReason: String(finishReason) }),
  };
}

async function readFailure(
  tree: RunTree,
  end: LoopEvent,
): Promise<{ readonly failure: string; readonly mayRetry?: boolean }> {
  const { reason, retry } = end.content;
  const words = isPlainObject(reason) ? String(await tree.read(end, "reason")) : "";
  return {
    failure: words === "" ? "failed" : words,
    ...(retry === "retry" ? { mayRetry: true } : {}),
  };
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

/** The prompt of a first round: what the user, as the model sees it, says. */
async function readPrompt(tree: RunTree, claim: LoopEvent): Promise<string | undefined> {
  const { context } = claim.content;
  const added = isPlainObject(context) ? context["added"] : undefined;
  const items = Array.isArray(added) ? (added as readonly JsonObject[]) : [];
  const prompt = items.findLast(({ role }) => role === "user");
  if (prompt === undefined) return undefined;
  return String(await tree.read({ ...claim, content: { prompt } }, "prompt"));
}
