import { LEFT_OUT } from "@turnseal/folds";
import { type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { JsonValue, ModelContent, ModelMessage } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { crashAt, openRun, type SampleRunOptions } from "../turn/sample-run.test.data.ts";
import { openConversation } from "./conversation.ts";
import { estimateTokens } from "./estimate-tokens.ts";

const page = "word ".repeat(200).trim();
const user: ModelMessage = { role: "user", text: "Go" };

function result(id: string, text = page): readonly ModelMessage[] {
  const call = { kind: "tool-call", toolCallId: id, toolName: "look", input: "{}" } as const;
  return [
    { role: "assistant", content: [call] },
    { role: "tool", toolCallId: id, toolName: "look", result: text },
  ];
}

function converse(tokensMax: number | undefined) {
  return openConversation(
    { settings: {}, head: [], words: user, promptLength: 2, leftOut: [] },
    tokensMax,
  );
}

function next(conversation: ReturnType<typeof converse>) {
  const outcome = conversation.next();
  if (outcome.kind !== "ok") throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

function resultsIn({ messages }: ReturnType<typeof next>): unknown[] {
  return messages("sample").flatMap((message) => (message.role === "tool" ? [message.result] : []));
}

test("without a limit everything goes along, and nothing is estimated", () => {
  const conversation = converse(undefined);
  for (const id of ["a", "b", "c"]) conversation.add(result(id));
  const { leftOut, contextTokens, messages } = next(conversation);
  expect([leftOut, contextTokens, messages("sample").length]).toEqual([[], undefined, 7]);
});

test("results of earlier rounds are left out, the oldest first, and as few as can be", () => {
  const conversation = converse(600);
  conversation.add(result("a"));
  conversation.add(result("b", "short"));
  conversation.add(result("c"));
  expect(resultsIn(next(conversation))).toEqual([page, "short", page]);
  conversation.add(result("d"));
  const fitted = next(conversation);
  expect(resultsIn(fitted)).toEqual([LEFT_OUT, "short", page, page]);
  expect(fitted.leftOut).toEqual([page]);
  expect(fitted.contextTokens).toBeLessThanOrEqual(600);
  expect(fitted.news).toHaveLength(2);
});

test("what was left out stays out, and is named once", () => {
  const conversation = converse(600);
  for (const id of ["a", "b", "c"]) conversation.add(result(id));
  expect(next(conversation).leftOut).toEqual([page]);
  conversation.add(result("d", "short"));
  const fitted = next(conversation);
  expect(fitted.leftOut).toEqual([]);
  expect(resultsIn(fitted)).toEqual([LEFT_OUT, page, page, "short"]);
});

test("a request is never larger than it may be: at the limit it fits, past it is refused", () => {
  const exact = estimateTokens({ messages: [user, ...result("a")] });
  for (const [tokensMax, kind] of [
    [exact, "ok"],
    [exact - 1, "error"],
  ] as const) {
    const conversation = converse(tokensMax);
    conversation.add(result("a"));
    expect(conversation.next().kind).toBe(kind);
  }
  expect(converse(1).next()).toMatchObject({
    error: { code: "BUDGET_EXCEEDED", details: { fault: "CONTEXT_TOO_LARGE" } },
  });
});

test("what the provider counted makes the estimates that follow larger, never smaller", () => {
  const estimate = estimateTokens({ messages: [user, ...result("a")] });
  const plain = estimateTokens({ messages: [user, ...result("a"), ...result("b")] });
  for (const [counted, factor, tokensMax] of [
    [estimate * 1.5, 1.5, estimate * 4],
    // Of a request of less than a quarter of the room nothing is learned.
    [estimate * 1.5, 1, estimate * 4 + 1],
    [1, 1, estimate * 4],
    [undefined, 1, estimate * 4],
  ] as const) {
    const conversation = converse(tokensMax);
    conversation.add(result("a"));
    next(conversation);
    conversation.correct(counted);
    conversation.add(result("b"));
    expect(next(conversation).contextTokens).toBe(Math.ceil(plain * factor));
  }
});

test("tools and schemas count too", () => {
  const tools = [{ name: "look", description: page, inputSchema: {} }];
  const bare = estimateTokens({ messages: [user] });
  expect(estimateTokens({ messages: [user], tools })).toBeGreaterThan(bare + 190);
  expect(estimateTokens({ messages: [user], outputSchema: { description: page } })).toBeGreaterThan(
    bare + 190,
  );
});

const look: ScriptedReply = {
  content: [{ kind: "tool-call", toolCallId: "a", toolName: "local__look", input: "{}" }],
  usage: { inputTokens: 1, outputTokens: 1 },
};

function openAgent(contextTokensMax: number, options: Partial<SampleRunOptions> = {}) {
  const model = scriptedModel([look, look, look, "done", "done", "done"]);
  const tools = [{ loopId: "look" }];
  const prompt = { template: "Go", variables: [], tools, maxRounds: 8, thread: false };
  let count = 0;
  const run = openRun({
    loops: [promptLoop("agent", { prompt, policy: { contextTokensMax } }), toolLoop("look")],
    model,
    tools: {
      "local.look": {
        effect: "read",
        run: (): JsonValue => {
          count += 1;
          return `${count} ${page}`;
        },
      },
    },
    ...options,
  });
  return { run, model };
}

interface ClaimedContext {
  readonly strategy: string;
  readonly leftOut?: readonly string[];
  readonly added: readonly { readonly digest: string }[];
}

test("a claim says how large the request is, and names what it leaves out by digest", async () => {
  const { run, model } = openAgent(600);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const claims = (await run.contents("action.claimed")).filter(({ action }) => action === "model");
  const contexts = claims.map(({ context }) => context as unknown as ClaimedContext);
  expect(contexts.map(({ strategy }) => strategy)).toEqual([
    "append",
    "append",
    "append",
    "leave-out",
  ]);
  // The digest is that of the result, as the claim that added it has named it.
  expect(contexts[3]?.leftOut).toEqual([contexts[1]?.added[1]?.digest]);
  for (const { contextTokens } of claims) expect(contextTokens).toBeLessThanOrEqual(600);
  const told = model.requests[3]?.messages.filter(({ role }) => role === "tool");
  expect(told?.[0]).toMatchObject({ result: LEFT_OUT });
  expect(JSON.stringify(await run.events())).not.toContain("word");
});

test("a resume leaves out the same", async () => {
  for (let place = 1; place <= 9; place++) {
    const { run } = openAgent(600, { beforeAppend: crashAt(place) });
    const outcome = await run.turn().catch(() => run.turn());
    expect(outcome, `append ${place}`).toMatchObject({ outcome: "completed" });
  }
});

test("a prompt that is too large by itself is refused before anybody is asked", async () => {
  const { run, model } = openAgent(10);
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
  expect(model.requests).toHaveLength(0);
  expect(await run.types()).not.toContain("action.claimed");
  const [errored] = await run.contents("call.errored");
  expect(errored).toMatchObject({ details: { fault: "CONTEXT_TOO_LARGE" } });
});

test("a result that is too large by itself is refused, and not cut", async () => {
  const { run, model } = openAgent(150);
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
  expect(model.requests).toHaveLength(1);
});

test("summaries of earlier turns are left out of the first request, the oldest first", async () => {
  const summaries = ["first", "second", "third"].map((word) => ({
    ref: word,
    mediaType: "text/plain",
    text: `${word} ${page}`,
  }));
  for (const [tokensMax, kept] of [
    [2_000, ["first", "second", "third"]],
    [800, ["second", "third"]],
    [150, []],
  ] as const) {
    const model = scriptedModel(["done"]);
    const prompt = { template: "Go", variables: [], thread: false };
    const policy = { contextTokensMax: tokensMax };
    const run = openRun({ loops: [promptLoop("ask", { prompt, policy })], model });
    Object.assign(run.request, { guidance: { pinned: [], texts: [], summaries } });
    expect(await run.turn()).toMatchObject({ outcome: "completed" });
    const asked = JSON.stringify(model.requests[0]?.messages);
    for (const { ref, text } of summaries)
      expect(asked.includes(text), ref).toBe((kept as readonly string[]).includes(ref));
    const [claim] = await run.contents("action.claimed");
    const [started] = await run.contents("turn.started");
    const named = started?.guidance ?? [];
    const context = claim?.context as unknown as ClaimedContext | undefined;
    expect(context?.leftOut ?? []).toEqual(
      named.slice(0, 3 - kept.length).map(({ digest }) => digest),
    );
  }
});

test("a question that is asked again keeps what it was about", () => {
  const conversation = converse(300);
  conversation.add(result("a"));
  const before = next(conversation).messages("sample");
  conversation.correct(299);
  conversation.add([]);
  const again = next(conversation);
  expect([again.messages("sample"), again.leftOut]).toEqual([before, []]);
  conversation.correct(900);
  expect(conversation.next().kind).toBe("error");
});

test("what a model said is never left out", () => {
  const conversation = converse(300);
  const said: ModelContent = { kind: "text", text: page };
  conversation.add([{ role: "assistant", content: [said] }]);
  conversation.add([{ role: "user", text: page }]);
  expect(conversation.next().kind).toBe("error");
});

test("an estimate does not depend on the order of fields: the log gives them in another", () => {
  const resultOf = (result: JsonValue): ModelMessage => ({
    ...{ role: "tool", toolCallId: "a", toolName: "look" },
    result,
  });
  const one = resultOf({ beta: "x y", alpha: ["one, two"], "3": 4 });
  const other = resultOf({ "3": 4, alpha: ["one, two"], beta: "x y" });
  expect(estimateTokens({ messages: [one] })).toBe(estimateTokens({ messages: [other] }));
});
