import type { ScriptedReply } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import type { EventEnvelope } from "@turnseal/protocol/events";
import { toModelMessages } from "@turnseal/views";
import { describe, expect, test } from "vitest";
import { settle } from "../../scenarios/sample-world.test.data.ts";
import { askFor, askToSave, type Chat, openChat } from "./chat.test.data.ts";
import { readModelMessages } from "./read-model-messages.ts";

const look = (at: number) => ["local__look", { at }] as const;

/** The replies of the model, by the name of the conversation. */
const conversations: readonly (readonly [string, readonly ScriptedReply[]])[] = [
  ["words alone", ["Good day"]],
  ["one tool", [askFor(look(1)), "done"]],
  ["two answers that use one name again", [askFor(look(1)), askFor(look(2)), "done"]],
  [
    "two calls of one name in one answer",
    [
      {
        content: [
          { kind: "tool-call", toolCallId: "a", toolName: "local__look", input: '{"at":1}' },
          { kind: "tool-call", toolCallId: "a", toolName: "local__look", input: '{"at":2}' },
        ],
      },
      "done",
    ],
  ],
  ["several tools at once", [askFor(look(1), look(2), look(3)), "done"]],
  ["a tool that fails", [askFor(look(666), look(2)), "done"]],
  ["an unknown tool among others", [askFor(look(1), ["local__nope", {}], look(2)), "done"]],
  ["arguments of the wrong shape", [askFor(["local__look", "no object"]), "done"]],
  [
    "arguments that are no JSON",
    [
      {
        content: [{ kind: "tool-call", toolCallId: "a", toolName: "local__look", input: "{at:" }],
      },
      "done",
    ],
  ],
  [
    "thoughts and words around calls",
    [
      {
        content: [
          { kind: "reasoning", text: "hm" },
          { kind: "tool-call", toolCallId: "a", toolName: "local__look", input: '{"at":1}' },
          { kind: "text", text: "and" },
          { kind: "tool-call", toolCallId: "b", toolName: "local__look", input: '{"at":2}' },
          { kind: "text", text: "so" },
        ],
      },
      "done",
    ],
  ],
];

describe("every request of", () => {
  test.each(conversations)("%s can be made again from the session", async (_, replies) => {
    const { chat, run } = await converse(replies);
    await expectSame(chat, run);
  });

  test("a call that a person refused can be made again from the session", async () => {
    const chat = openChat({ replies: [askFor(["local__save", 1]), "done"], policy: askToSave });
    const run = await chat.start();
    await chat.host.advance(run);
    const [request] = await chat.host.requests(run);
    const by = { id: "ada", roles: [] };
    const reason = "it is: not needed";
    await chat.host.decide(run, request?.id ?? "", { choice: "reject", by, reason });
    await chat.host.advance(run);
    expect(chat.model.requests).toHaveLength(2);
    expect(chat.model.requests[1]?.messages.at(-1)).toMatchObject({
      result: { denial: "approval-declined", reason },
    });
    await expectSame(chat, run);
  });

  test("a prompt with its own words is in the log, to the byte", async () => {
    const written = '{ "at" : 1 }';
    const replies: ScriptedReply[] = [
      {
        content: [
          {
            ...{ kind: "tool-call", toolCallId: "a", toolName: "local__look", input: written },
            providerData: { signature: "s" },
          },
        ],
      },
      "done",
    ];
    const chat = openChat({ replies, system: "Be brief" });
    const run = await chat.start();
    await chat.host.advance(run);
    expect(await readRequests(chat, run)).toEqual(
      chat.model.requests.map(({ messages }) => ({ kind: "read", messages })),
    );
    expect(JSON.stringify(chat.model.requests[1]?.messages)).toContain("signature");
  });
});

test("requests that were repeated, or left something out, are read as they were", async () => {
  const replies: ScriptedReply[] = [
    { failure: "not now" },
    ...Array.from({ length: 4 }, (_, at) => askFor(look(at))),
    "done",
  ];
  const page = "word ".repeat(400);
  const chat = openChat({ replies, look: () => page, loopPolicy: { contextTokensMax: 2_000 } });
  const run = await chat.start();
  const advanced = chat.host.advance(run);
  await settle();
  chat.clock.advance(5_000);
  await advanced;
  const sent = chat.model.requests.map(({ messages }) => messages);
  expect(sent).toHaveLength(6);
  expect(JSON.stringify(sent.at(-1))).toContain("earlier entries");
  expect(await readRequests(chat, run)).toEqual(
    sent.map((messages) => ({ kind: "read", messages })),
  );
});

test("a request that was erased, or is none, is missing", async () => {
  const { chat, run } = await converse(["Good day"]);
  expect(await readModelMessages(chat.stores, run, 1)).toEqual({ kind: "missing" });
  expect(await readModelMessages(chat.stores, run, 999)).toEqual({ kind: "missing" });
  expect((await readRequests(chat, run)).map(({ kind }) => kind)).toEqual(["read"]);
  await chat.stores.blobs.erase(run);
  expect((await readRequests(chat, run)).map(({ kind }) => kind)).toEqual(["missing"]);
});

test("what no model asked for is in no message", () => {
  const place = { run: "r", sequence: 1, createdAt: "2026-01-01T00:00:00.000Z" };
  const content = { toolCallId: "a-call", toolName: "local.look", args: 1 };
  const call: EventEnvelope = { ...place, id: "r/1.0", type: "tool-call", content };
  expect(toModelMessages([call])).toEqual([]);
});

async function converse(replies: readonly ScriptedReply[]) {
  const chat = openChat({ replies, look: see });
  const run = await chat.start();
  await chat.host.advance(run);
  expect(chat.model.requests).toHaveLength(replies.length);
  return { chat, run };
}

function see(input: JsonValue): JsonValue {
  if (JSON.stringify(input) === '{"at":666}') throw new Error("it is\n\n- dark: very");
  return { saw: input };
}

/** Each request holds what the session says before the answer to it. */
async function expectSame(chat: Chat, run: string): Promise<void> {
  const messages = toModelMessages(await chat.session(run));
  for (const request of chat.model.requests)
    expect(request.messages).toEqual(messages.slice(0, request.messages.length));
  const last = chat.model.requests.at(-1)?.messages.length ?? 0;
  expect(messages).toHaveLength(last + 1);
  expect(await readRequests(chat, run)).toEqual(
    chat.model.requests.map((request) => ({ kind: "read", messages: request.messages })),
  );
}

async function readRequests(chat: Chat, run: string) {
  const events = await chat.stores.log.read(run, 1);
  const claims = events.filter(
    ({ type, content }) => type === "action.claimed" && content.action === "model",
  );
  return Promise.all(claims.map(({ sequence }) => readModelMessages(chat.stores, run, sequence)));
}
