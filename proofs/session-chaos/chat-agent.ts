/**
 * An agent that obeys each message, always in the same way: `tell 40` makes it write forty words,
 * and `look 5` makes it look. `pay 300` makes it pay, with an approval, and `fail` fails.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Model, ModelError, type ModelRequest } from "@turnseal/ports";
import type { ModelContent, Policy } from "@turnseal/protocol";
import { definePrompt, defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";

/** Words that the agent tells; each is a piece of its own. */
const WORDS = ["one", "twö", "three", "四", "five 💡", "six\n"] as const;

export function createChatAgent({ ledger, paceMs }: { ledger: string; paceMs: number }) {
  const pay = defineTool({
    id: "pay",
    version: "1.0.0",
    description: "Pays an amount",
    input: z.object({ cents: z.int() }),
    output: z.object({ paid: z.int() }),
    effect: "idempotent",
    run: ({ cents }, { key }) => {
      appendFileSync(ledger, `${key}\n`);
      return { paid: cents };
    },
  });
  const look = defineTool({
    id: "look",
    version: "1.0.0",
    description: "Looks at something for a while",
    input: z.object({ times: z.int() }),
    output: z.object({ seen: z.int() }),
    effect: "read",
    run: async ({ times }, { onToolOutputDelta }) => {
      for (let time = 0; time < times; time++) {
        onToolOutputDelta(`look ${time}\n`);
        await sleep(paceMs);
      }
      return { seen: times };
    },
  });
  const chat = definePrompt({
    id: "chat",
    version: "1.0.0",
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    template: "{{text}}",
    backend: { id: "chatter", model: "chatter" },
    tools: [pay, look],
  });
  const policy: Policy = {
    name: "payments",
    rules: [
      { id: "look", decision: "allow", tools: ["local.look"] },
      { id: "pay", decision: "ask", tools: ["local.pay"] },
    ],
  };
  return {
    loops: [chat, pay, look],
    models: { chatter: createChatter(paceMs) },
    agent: {
      loop: chat,
      policy,
      grant: { grantor: "chaos", tools: ["local.pay", "local.look"], budget: {} },
      bounds: {
        awaits: ["message"],
        nextInput: { text: "$.signals.message.text" },
        turnsMax: 50,
        failuresMax: 1,
        resumesMax: 100,
      },
    },
  };
}

function createChatter(paceMs: number): Model {
  return {
    defaultModel: "chatter",
    generate: async (request) => {
      const content = answerTo(request);
      for (const [part, item] of content.entries()) {
        if (item.kind !== "text" && item.kind !== "reasoning") continue;
        for (const text of item.text.split(/(?<= )/)) {
          request.onDelta?.({ kind: item.kind, part, text });
          await sleep(paceMs);
          if (request.signal.aborted) throw failure("MODEL_ABORTED");
        }
      }
      const hasCall = content.some(({ kind }) => kind === "tool-call");
      return {
        content,
        finishReason: hasCall ? "tool-calls" : "stop",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
}

function answerTo({ messages, tools = [] }: ModelRequest): ModelContent[] {
  const last = messages.at(-1);
  const said = messages.findLast(({ role }) => role === "user");
  const [, verb, count] =
    /(tell|pay|look|fail) ?(\d*)/.exec(said?.role === "user" ? said.text : "") ?? [];
  if (verb === "fail") throw failure("MODEL_UNREACHABLE");
  const isTold = verb === "tell" || last?.role === "tool";
  if (isTold) return [{ kind: "text", text: tellWords(verb === "tell" ? Number(count) : 8) }];
  const tool = tools.find(({ name }) => name.endsWith(verb ?? "look"));
  const input = JSON.stringify(
    verb === "pay" ? { cents: Number(count) } : { times: Number(count) },
  );
  return [
    { kind: "reasoning", text: `I shall ${verb} as I was asked to.` },
    { kind: "tool-call", toolCallId: "call-0", toolName: tool?.name ?? "none", input },
  ];
}

function tellWords(count: number): string {
  return Array.from({ length: count }, (_, at) => WORDS[at % WORDS.length]).join(" ");
}

function failure(code: "MODEL_UNREACHABLE" | "MODEL_ABORTED"): ModelError {
  return new ModelError({ code, retry: "never", message: "the agent was told to fail" });
}
