/**
 * The model and the tools of a harness. They answer by the script, in order, and note every request
 * that differs from it.
 */
import type { ToolBindings } from "@turnseal/kernel";
import { type Model, ModelError, type ModelResult, type ToolBinding } from "@turnseal/ports";
import type { JsonValue, ModelContent } from "@turnseal/protocol";
import { type Loop, notDone } from "@turnseal/protocol/authoring";
import { compareWhole, type Difference } from "./difference.ts";
import type { Harness, Reply, ToolScript } from "./harness.ts";

/** A part of a script with its deviations. */
export interface Scripted<Part> {
  readonly part: Part;
  /** Lists the differences so far, and the unused replies. */
  readonly differences: () => readonly Difference[];
}

/** A model that gives the replies in order. After the last it fails. */
export function scriptModel({ model: replies = [] }: Pick<Harness, "model">): Scripted<Model> {
  const noted: Difference[] = [];
  let asked = 0;
  const model: Model = {
    defaultModel: "scripted",
    generate: async ({ messages, model: answeredBy }) => {
      const path = `/model/${asked}`;
      const reply = replies[asked];
      asked += 1;
      const last = messages.findLast(({ role }) => role === "user");
      const prompt = last?.role === "user" ? last.text : "";
      if (reply === undefined) {
        noted.push({ path, expected: undefined, actual: { asked: prompt } });
        throw failure("the harness has no further reply");
      }
      if (reply.asked !== undefined)
        noted.push(...compareWhole(reply.asked, prompt, `${path}/asked`));
      return answer(reply, answeredBy);
    },
  };
  return { part: model, differences: () => [...noted, ...listUnused("/model", replies, asked)] };
}

function answer(reply: Reply, answeredBy: string): ModelResult {
  if (reply.failure !== undefined) throw failure(reply.failure, reply.mayRetry);
  const content = contentOf(reply);
  const isCalling = content.some(({ kind }) => kind === "tool-call");
  const finishReason = reply.finishReason ?? (isCalling ? "tool-calls" : "stop");
  return {
    content,
    finishReason: finishReason as ModelResult["finishReason"],
    usage: reply.usage ?? { inputTokens: 1, outputTokens: 1 },
    answeredBy,
  };
}

function contentOf({ text, json, toolCalls, content }: Reply): readonly ModelContent[] {
  if (content !== undefined) return content;
  if (toolCalls === undefined) return [{ kind: "text", text: text ?? JSON.stringify(json) }];
  return toolCalls.map(({ tool, input }, index) => ({
    kind: "tool-call",
    toolCallId: `call-${index}`,
    // A reference as people write it, or its alias for models.
    toolName: tool.replaceAll(".", "__"),
    input: JSON.stringify(input),
  }));
}

function failure(message: string, mayRetry = false): ModelError {
  const retry = mayRetry ? "retry" : "never";
  return new ModelError({ code: "MODEL_UNREACHABLE", retry, message });
}

/**
 * Tools that answer from the script, with the declarations of the real ones unless the script has
 * its own.
 */
export function scriptTools(
  { tools = {} }: Pick<Harness, "tools">,
  loops: readonly Loop[],
): Scripted<ToolBindings> {
  const noted: Difference[] = [];
  const scripts = Object.entries(tools).map(([name, script]) => {
    const loop = loops.find(({ definition }) => definition.tool?.implementation === name);
    return { name, ...scriptTool(name, script, loop, noted) };
  });
  return {
    part: Object.fromEntries(scripts.map(({ name, binding }) => [name, binding])),
    differences: () => [...noted, ...scripts.flatMap(({ unused }) => unused())],
  };
}

function scriptTool(
  name: string,
  { effect, build, results }: ToolScript,
  loop: Loop | undefined,
  noted: Difference[],
): { readonly binding: ToolBindings[string]; readonly unused: () => readonly Difference[] } {
  const place = `/tools/${name}/results`;
  let called = 0;
  const run = (input: JsonValue): JsonValue => {
    const path = `${place}/${called}`;
    const reply = results[called];
    called += 1;
    if (reply === undefined) {
      noted.push({ path, expected: undefined, actual: { given: input } });
      throw new Error("the harness has no further result");
    }
    if (reply.given !== undefined) noted.push(...compareWhole(reply.given, input, `${path}/given`));
    if (reply.unsure === true) throw new Error("it may have happened");
    if (reply.failure !== undefined) throw toolFailure(reply.failure, reply.mayRetry);
    return reply.result ?? null;
  };
  // Its needs of the grant still count; its secrets are not read here.
  const { secrets: _, reconcile: __, ...declared } = loop?.declared ?? {};
  const { needs, gate } = (loop ?? {}) as Pick<ToolBinding, "needs" | "gate">;
  const binding = {
    build: "harness",
    ...declared,
    ...(needs === undefined ? {} : { needs }),
    ...(gate === undefined ? {} : { gate }),
    ...(effect === undefined ? {} : { effect }),
    ...(build === undefined ? {} : { build }),
    run,
  };
  return { binding, unused: () => listUnused(place, results, called) };
}

function toolFailure(message: string, mayRetry = false): Error {
  return notDone(message, { mayRetry });
}

/** Lists replies that were never used. */
function listUnused(path: string, replies: readonly unknown[], used: number): Difference[] {
  if (used >= replies.length) return [];
  const expected = replies[used] as JsonValue;
  return [{ path: `${path}/${used}`, expected, actual: undefined }];
}
