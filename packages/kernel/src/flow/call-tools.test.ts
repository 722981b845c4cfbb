import { type Model, type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { JsonValue, ModelContent, ModelMessage, OfferedTool } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { OUTPUT_TOKENS_DEFAULT } from "../limits.ts";
import { crashAt, openRun, type SampleRunOptions, settle } from "../turn/sample-run.test.data.ts";

const object = { inputSchema: { type: "object" } };

function openAgent(
  replies: readonly ScriptedReply[],
  {
    tools,
    ...options
  }: Partial<Omit<SampleRunOptions, "tools">> & {
    readonly tools?: readonly OfferedTool[];
  } & { readonly look?: (input: JsonValue) => Promise<JsonValue> | JsonValue } = {},
) {
  const { look = (input: JsonValue) => ({ saw: input }), ...rest } = options;
  const model = scriptedModel(replies);
  const offered = tools ?? [{ loopId: "look", independent: true }, { loopId: "pay" }];
  const run = openRun({
    loops: [
      promptLoop("agent", { prompt: { template: "Go", variables: [], tools: offered } }),
      toolLoop("look", object),
      toolLoop("pay", object),
    ],
    model,
    tools: {
      "local.look": { effect: "read", run: look as () => JsonValue },
      "local.pay": { effect: "idempotent", run: look as () => JsonValue },
    },
    ...rest,
  });
  return { run, model };
}

function asking(...names: readonly string[]): ScriptedReply {
  return { toolCalls: names.map((name, at) => ({ tool: `local__${name}`, input: { at } })) };
}

/** Tools that report when they begin, and end on command. */
function gated() {
  const begun: number[] = [];
  const gates = new Map<number, () => void>();
  const look = async (input: JsonValue): Promise<JsonValue> => {
    const { at } = input as { readonly at: number };
    begun.push(at);
    await new Promise<void>((resume) => gates.set(at, resume));
    return { saw: at };
  };
  return { begun, look, end: (at: number) => gates.get(at)?.() };
}

function toldOf({ requests }: ReturnType<typeof scriptedModel>, round = 1): unknown[] {
  return (requests[round]?.messages ?? []).flatMap((message) =>
    message.role === "tool" ? [message.result] : [],
  );
}

test("tools that are independent act at once, and are told in order", async () => {
  const { begun, look, end } = gated();
  const { run, model } = openAgent([asking("look", "look", "look"), "done"], { look });
  const turn = run.turn();
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  for (const at of [2, 0, 1]) {
    end(at);
    await settle();
  }
  expect(await turn).toMatchObject({ outcome: "completed" });
  expect(toldOf(model)).toEqual([{ saw: 0 }, { saw: 1 }, { saw: 2 }]);
});

test("what is not declared so acts alone, in its place", async () => {
  const { begun, look, end } = gated();
  const { run } = openAgent([asking("look", "pay", "look", "look"), "done"], { look });
  const turn = run.turn();
  for (const [at, expected] of [
    [0, [0]],
    [1, [0, 1]],
    [2, [0, 1, 2, 3]],
  ] as const) {
    await settle();
    expect(begun).toEqual(expected);
    end(at);
  }
  await settle();
  end(3);
  expect(await turn).toMatchObject({ outcome: "completed" });
});

/** Calls these tools until it gets their results. */
function untilTold(content: readonly ModelContent[]): Model & { readonly told: ModelMessage[][] } {
  const told: ModelMessage[][] = [];
  return {
    defaultModel: "steady",
    told,
    generate: async ({ messages }) => {
      const isTold = messages.some(({ role }) => role === "tool");
      if (isTold) told.push([...messages]);
      return {
        content: isTold ? [{ kind: "text", text: "done" }] : content,
        finishReason: "stop",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
}

test("a crash at any append of a group, then a resume: the same results in order", async () => {
  const content = ["look", "look", "pay", "look"].map((name, at) =>
    part({ toolCallId: `${at}`, toolName: `local__${name}`, input: `{"at":${at}}` }),
  );
  const whole = openAgent([], { model: untilTold(content) }).run;
  await whole.turn();
  const types = (await whole.types()).filter((type) => type !== "action.claimed").toSorted();
  let place = 1;
  for (; ; place++) {
    const model = untilTold(content);
    const { run } = openAgent([], { model, beforeAppend: crashAt(place) });
    const first = await run.turn().catch(() => undefined);
    if (first !== undefined) break;
    expect(await run.turn(), `append ${place}`).toMatchObject({ outcome: "completed" });
    const results = model.told.at(-1)?.slice(2);
    expect(results).toMatchObject([0, 1, 2, 3].map((at) => ({ result: { saw: { at } } })));
    const again = (await run.types()).filter((type) => !/resumed|resolved|claimed/.test(type));
    expect(again.toSorted()).toEqual(types);
  }
  expect(place).toBeGreaterThan(4);
});

test("a prompt beside a slow tool goes on, and no crash does anything twice", async () => {
  const sub = promptLoop("sub", {
    prompt: { template: "Sub", variables: [], tools: [{ loopId: "pay" }] },
  });
  const tools = [
    { loopId: "look", independent: true },
    { loopId: "sub", independent: true },
  ];
  const agent = promptLoop("agent", { prompt: { template: "Go", variables: [], tools } });
  const [go, pay] = [
    untilTold([part({}), part({ toolCallId: "b", toolName: "loop__sub" })]),
    untilTold([part({ toolName: "local__pay" })]),
  ];
  const model: Model = {
    defaultModel: "steady",
    generate: (request) =>
      (JSON.stringify(request.messages[0]).includes("Sub") ? pay : go).generate(request),
  };
  const orders = new Set<string>();
  for (let place = 1; ; place++) {
    const acted: string[] = [];
    const { run } = openAgent([], {
      loops: [agent, sub, toolLoop("look", object), toolLoop("pay", object)],
      model,
      beforeAppend: crashAt(place),
      look: async (input) => {
        // Each has a time of its own: one does not see the time of the other.
        for (let wait = 0; wait < 6; wait++) {
          await settle();
          run.clock.advance(5);
        }
        return { saw: input };
      },
    });
    const first = await run.turn().catch(() => undefined);
    if (first === undefined) {
      await settle();
      expect(await run.turn(), `append ${place}`).toMatchObject({ outcome: "completed" });
    }
    const ends = await run.contents("action.settled");
    acted.push(...ends.map(({ key }) => key));
    expect(new Set(acted).size, `append ${place}`).toBe(acted.length);
    orders.add(ends.map(({ action }) => action).join(" "));
    if (first !== undefined) break;
  }
  // The prompt ended its first round before the tool before it answered.
  expect([...orders].some((order) => order.startsWith("model model"))).toBe(true);
});

test("what has no room beside its neighbour waits for it, and only then is refused", async () => {
  const sub = promptLoop("sub", { prompt: { template: "Sub", variables: [] } });
  const tools = [{ loopId: "sub", independent: true }];
  const asked = { toolName: "loop__sub" };
  for (const [outputTokens, outcome, asks] of [
    [OUTPUT_TOKENS_DEFAULT + 10, "completed", [1, 2]],
    [OUTPUT_TOKENS_DEFAULT, "failed", []],
  ] as const) {
    const steady = untilTold([part({ ...asked }), part({ ...asked, toolCallId: "b" })]);
    const waiting: (() => void)[] = [];
    const seen: number[] = [];
    const { run } = openAgent([], {
      budget: { outputTokens },
      loops: [promptLoop("agent", { prompt: { template: "Go", variables: [], tools } }), sub],
      model: {
        ...steady,
        generate: async (request) => {
          const [first] = request.messages;
          if (first?.role !== "user" || first.text === "Go") return steady.generate(request);
          await new Promise<void>((resume) => waiting.push(resume));
          return { ...(await scriptedModel(["sub"]).generate(request)), usage };
        },
      },
    });
    const turn = run.turn();
    for (let round = 0; round < 2; round++) {
      await settle();
      if (waiting.length > round) seen.push(waiting.length);
      waiting[round]?.();
    }
    expect(await turn).toMatchObject({ outcome });
    expect(seen).toEqual(asks);
  }
});

const usage = { inputTokens: 1, outputTokens: 1 };

test("a cancel reaches all of a group, and is taken in once", async () => {
  const { begun, look } = gated();
  const { run } = openAgent([asking("look", "look"), "done"], { look });
  const turn = run.turn();
  await settle();
  expect(begun).toEqual([0, 1]);
  run.cancel();
  run.clock.advance(1_000);
  expect(await turn).toMatchObject({ outcome: "cancelled" });
  const signals = (await run.types()).filter((type) => type === "signal.received");
  expect(signals).toHaveLength(1);
});

function part(fields: Partial<Extract<ModelContent, { kind: "tool-call" }>>): ModelContent {
  return { kind: "tool-call", toolCallId: "a", toolName: "local__look", input: "{}", ...fields };
}

test("a call that cannot be made is told to the model, and recorded without words", async () => {
  const content: readonly ModelContent[] = [
    { kind: "text", text: "let me see" },
    part({ toolCallId: "a" }),
    part({ toolCallId: "a" }),
    part({ toolCallId: "b", toolName: "local__secret" }),
    part({ toolCallId: "c", input: "{at:" }),
  ];
  const { run, model } = openAgent([{ content }, "done"]);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(toldOf(model)).toEqual([
    { saw: {} },
    { error: "CALL_ID_REPEATED" },
    { error: "TOOL_UNKNOWN" },
    { error: "ARGUMENTS_NOT_JSON" },
  ]);
  const [settled] = await run.contents("action.settled");
  expect(settled?.toolErrors).toEqual([
    { part: 2, error: "CALL_ID_REPEATED" },
    { part: 3, error: "TOOL_UNKNOWN" },
    { part: 4, error: "ARGUMENTS_NOT_JSON" },
  ]);
  expect(JSON.stringify(await run.events())).not.toContain("local__secret");
  expect((await run.types()).filter((type) => type === "child.started")).toHaveLength(1);
});

test("nothing at all is no arguments, and an id may come again in another round", async () => {
  const bare = { content: [part({ input: " " })] };
  const { run, model } = openAgent([bare, bare, "done"]);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(toldOf(model, 2)).toEqual([{ saw: {} }, { saw: {} }]);
  expect((await run.contents("action.settled"))[0]).not.toHaveProperty("toolErrors");
});

test("what a provider wants back goes back as it came, also after a crash", async () => {
  const thought: ModelContent = {
    kind: "reasoning",
    text: "hm",
    providerData: { sample: { signature: "abc" } },
  };
  const content = [thought, part({ providerData: { sample: { id: 7 } } })];
  for (const place of [1, 2, 3, 4, 5]) {
    const model = untilTold(content);
    const { run } = openAgent([], { model, beforeAppend: crashAt(place) });
    await run.turn().catch(() => run.turn());
    expect(model.told.at(-1)?.[1]).toEqual({ role: "assistant", content });
  }
});
