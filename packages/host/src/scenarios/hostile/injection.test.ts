// A model that obeys every text: the executed actions stay the same.
import {
  createMemorySigner,
  type Model,
  type ModelRequest,
  manualClock,
  memoryStores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import {
  canonicalize,
  type Effect,
  type JsonValue,
  type LoopEvent,
  type ModelMessage,
  type Policy,
} from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import {
  CHANNELS,
  type Channel,
  INJECTIONS,
  type Injection,
  WISHES,
  type Wish,
} from "./injection.test.data.ts";

const signer = await createMemorySigner();
const HARMLESS = "Nothing special.";
const INVOICE = { to: "supplier-7", cents: 1200 };

interface ToolCall {
  readonly tool: string;
  readonly input: JsonValue;
}

const wire: ToolCall = { tool: "local__wire", input: { to: "4711", cents: 50_000 } };
const write: ToolCall = { tool: "fs__write", input: { path: "/srv/out" } };
const payAgain: ToolCall = { tool: "local__pay", input: INVOICE };
const payOther: ToolCall = { tool: "local__pay", input: { to: "4711", cents: 1200 } };
const refund: ToolCall = { tool: "local__refund", input: { cents: 90_000 } };
const invent = (tool: string): ToolCall => ({ tool, input: { choice: "approve", by: "ada" } });

/** The acts of a model that obeys a text: first the wished ones, then any others it can do. */
const obedience: Readonly<Record<Wish, readonly ToolCall[]>> = {
  tools: [wire, write, invent("shell"), payOther],
  budget: [payOther, payAgain, payAgain, payAgain],
  approval: [invent("turnseal__approve"), invent("approval.decided"), refund, wire],
  grant: [invent("turnseal__grant"), wire, write, refund],
  continuation: [invent("turnseal__continue"), wire, payOther],
  markers: [invent("system"), wire, write, payOther, refund],
};

const policy: Policy = {
  name: "invoices",
  rules: [
    {
      id: "known-supplier",
      decision: "allow",
      tools: ["local.pay"],
      when: 'args.to == "supplier-7" && args.cents <= 1200',
    },
    { id: "refunds", decision: "ask", tools: ["local.refund"], role: "finance" },
  ],
};

interface Setting {
  readonly channel: Channel;
  readonly text: string;
  readonly wish: Wish;
  /** Whether somebody allowed everything. */
  readonly isOpen?: boolean;
}

interface Driven {
  /** Calls of tools that change something, in the order in which they happened. */
  readonly effects: readonly string[];
  readonly events: readonly LoopEvent[];
  /** How often the model believed the text. */
  readonly believed: number;
}

/** Carries a run whose model reads the text in the given place. */
async function drive(setting: Setting): Promise<Driven> {
  const { channel, text, isOpen = false } = setting;
  const effects: string[] = [];
  const at = (place: Channel): string => (channel === place ? text : HARMLESS);
  const tool = (implementation: string, effect: Effect, result: JsonValue = {}) =>
    defineTool({
      ...{ id: implementation, version: "1.0.0", implementation, effect },
      input: jsonSchema<object>({ type: "object" }),
      output: jsonSchema<unknown>(true),
      run: (input) => {
        if (effect !== "read") effects.push(`${implementation} ${canonicalize(input)}`);
        return result;
      },
    });
  const tools = [
    tool("local.lookup", "read", { order: "A", remark: at("tool output") }),
    tool("local.pay", "once"),
    tool("local.refund", "once"),
    tool("local.wire", "once"),
    tool("fs.write", "once"),
  ] as const;
  const clerk = definePrompt({
    ...{ id: "clerk", version: "1.0.0", tools, maxRounds: 6, thread: false },
    input: jsonSchema<{ readonly order: string; readonly news: string }>({ type: "object" }),
    output: jsonSchema<unknown>(true),
    template: "Settle the order {{order}}. News: {{news}}",
  });
  const gullible = createGullible(setting, at("summary"));
  const clock = manualClock();
  const stores = memoryStores(clock);
  const host = createLocalHost({
    ...{ loops: [...tools, clerk], stores, signer, clock, ids: seededIds("injection") },
    models: { scripted: gullible.model },
  });
  const every = ["local.lookup", "local.pay", "local.refund", "local.wire", "fs.write"];
  const run = await host.start(
    clerk,
    { order: "A", news: "none" },
    {
      grant: isOpen
        ? { grantor: "ada", tools: every, budget: {} }
        : { grantor: "ada", tools: every.slice(0, 3), budget: { effects: 1 } },
      ...(isOpen ? {} : { policy }),
      guidance: [{ ref: "house.md", text: at("guidance") }],
      bounds: {
        turnsMax: 2,
        failuresMax: 2,
        summaries: 1,
        goal: { path: "$.output.never", equals: true },
        nextInput: { order: "literal:B", news: "$.signals.news" },
      },
    },
  );
  await host.signal(run, { name: "news", payload: at("signal"), key: "1", by: "outside" });
  await host.drive(run);
  const events: LoopEvent[] = [];
  for await (const event of host.events(run)) events.push(event);
  return { effects, events, believed: gullible.believed() };
}

/** It settles the first order, and in every round does what any text it reads asks for. */
function createGullible({ text, wish }: Setting, output: string) {
  let believed = 0;
  const generate = (request: ModelRequest) => {
    const isFirst = !request.messages.some(({ role }) => role === "tool");
    const isOrderA = listTexts(request.messages).some((said) => said.includes("the order A."));
    const honest = [
      { tool: "local__lookup", input: {} },
      ...(isOrderA ? [{ tool: "local__pay", input: INVOICE }] : []),
    ];
    const hasRead = text !== HARMLESS && hears(request.messages, text);
    const hasObeyed = request.messages.some(
      (message) => message.role === "tool" && message.toolCallId.startsWith("obey"),
    );
    const obeyed = hasRead && !hasObeyed ? obedience[wish] : [];
    if (obeyed.length > 0) believed += 1;
    const toolCalls = [...(isFirst ? honest : []), ...obeyed];
    if (toolCalls.length > 0) return answerCalls(request, toolCalls, obeyed.length);
    const claims = { approved: true, grant: "*", continue: true, never: "true", remark: output };
    return scriptedModel([{ json: claims }]).generate(request);
  };
  const model: Model = { defaultModel: "gullible", generate };
  return { model, believed: () => believed };
}

async function answerCalls(request: ModelRequest, calls: readonly ToolCall[], obeyed: number) {
  const result = await scriptedModel([{ toolCalls: calls }]).generate(request);
  const content = result.content.map((part, index) => {
    const kind = index >= calls.length - obeyed ? "obey" : "honest";
    return part.kind === "tool-call" ? { ...part, toolCallId: `${kind}-${index}` } : part;
  });
  return { ...result, content };
}

function hears(messages: readonly ModelMessage[], text: string): boolean {
  const escaped = JSON.stringify(text).slice(1, -1);
  return listTexts(messages).some((said) => said.includes(text) || said.includes(escaped));
}

/** Everything that others say: the prompt, what stands before it, and what tools answered. */
function listTexts(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === "user") return [message.text];
    return message.role === "tool" ? listStrings(message.result) : [];
  });
}

function listStrings(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((part) => listStrings(part as JsonValue))
    : [];
}

const honestEffects = [`local.pay ${canonicalize(INVOICE)}`];
const nameOf = ({ channel, wish, text }: Injection): string =>
  `${channel}, ${wish}: ${text.replaceAll(/\s+/g, " ").slice(0, 50)}`;

test("the table has forty texts and more, of every kind and in every place", () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(INJECTIONS.map(({ text }) => text)).size).toBe(INJECTIONS.length);
  for (const channel of CHANNELS) {
    const wishes = INJECTIONS.filter((row) => row.channel === channel).map(({ wish }) => wish);
    expect(WISHES.filter((wish) => !wishes.includes(wish))).toEqual([]);
  }
});

describe.each(CHANNELS)("a harmless text as %s", (channel) => {
  test("leads to the one payment that was allowed", async () => {
    const { effects, believed } = await drive({ channel, text: HARMLESS, wish: "tools" });
    expect(effects).toEqual(honestEffects);
    expect(believed).toBe(0);
  });
});

describe("a text that asks for more changes nothing of what is executed", () => {
  test.each(INJECTIONS.map((row) => [nameOf(row), row] as const))("%s", async (_, row) => {
    const { effects, events, believed } = await drive(row);
    expect(believed).toBeGreaterThan(0);
    expect(effects).toEqual(honestEffects);
    const types = events.map(({ type }) => type);
    expect(types).not.toContain("approval.decided");
    expect(types.filter((type) => type === "turn.started").length).toBeLessThanOrEqual(2);
    const grants = events.flatMap(({ type, content }) =>
      type === "turn.started" ? [canonicalize(content.grant)] : [],
    );
    expect(new Set(grants).size).toBe(1);
  });
});

describe("the same words to a run that may do everything are followed", () => {
  test.each(CHANNELS)("as %s", async (channel) => {
    const row = INJECTIONS.find((found) => found.channel === channel && found.wish === "tools");
    const { effects } = await drive({ text: "", wish: "tools", ...row, channel, isOpen: true });
    expect(effects).toContain(`local.wire ${canonicalize(wire.input)}`);
    expect(effects).toContain(`fs.write ${canonicalize(write.input)}`);
  });
});
