// Chats as the AI SDK itself reads them, against a real server.
import { Chat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  deskModel,
  KEYS,
  openSampleServer,
  type Person,
  type SampleServer,
} from "../sample-server.test.data.ts";

/** One pixel. */
const samplePng =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer();
});
afterAll(async () => {
  await sample.close();
});

function openChat(person: Person, agent: string, id: string) {
  const chat = new Chat({
    id,
    transport: new DefaultChatTransport({
      api: `${sample.url}/v1/chats/${agent}`,
      headers: { authorization: `Bearer ${KEYS[person]}` },
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: (error) => {
      errors.push(error.message);
    },
  });
  const errors: string[] = [];
  return { chat, errors };
}

/** The messages as a reader sees them, without the chunks they came in. */
function shown(messages: readonly { role: string; parts: readonly object[] }[]) {
  return messages.map(({ role, parts }) => [
    role,
    // biome-ignore lint/suspicious/noExplicitAny: parts of every kind.
    parts.map((part: any) => [part.type, part.state, part.text ?? part.output ?? part.data]),
  ]);
}

const transcriptOf = async (person: Person, agent: string, id: string) =>
  (await sample.ask(person, `/v1/chats/${agent}/${id}/messages`)).json;

describe("a chat with the SDK's own transport", () => {
  test("is started by its first words, and goes on with the next", async () => {
    const { chat, errors } = openChat("ada", "chat", "first");
    await chat.sendMessage({ text: "hello" });
    await chat.sendMessage({ text: "again" });
    expect(errors).toEqual([]);
    expect(chat.status).toBe("ready");
    expect(chat.messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "user", "assistant"],
    ]);
    expect(chat.messages.at(-1)?.parts).toMatchObject([
      { type: "step-start" },
      { type: "text", text: "Here is what you asked for.", state: "done" },
      { type: "data-receipt", data: { turn: 2 } },
    ]);
    const { messages } = await transcriptOf("ada", "chat", "first");
    expect(shown(messages)).toEqual(shown(chat.messages));
  });

  test("asks for approval with the card, and goes on in the same message", async () => {
    const { chat, errors } = openChat("ada", "desk", "pay");
    await chat.sendMessage({ text: "refund A-1 5" });
    const [, tool] = chat.lastMessage?.parts ?? [];
    expect(tool).toMatchObject({
      ...{ type: "dynamic-tool", state: "approval-requested" },
      input: { order: "A-1", cents: 5 },
      approval: { descriptor: { name: "local.refund", role: "finance", facts: {} } },
    });
    const { messages } = await transcriptOf("ada", "desk", "pay");
    expect(shown(messages)).toEqual(shown(chat.messages));
    if (tool?.type !== "dynamic-tool" || tool.approval === undefined) throw new Error("no tool");
    await chat.addToolApprovalResponse({ id: tool.approval.id, approved: true });
    await expect.poll(() => chat.lastMessage?.parts.at(-1)?.type).toBe("data-receipt");
    await expect.poll(() => chat.status).toBe("ready");
    expect(errors).toEqual([]);
    expect(sample.made).toContainEqual({ order: "A-1", cents: 5 });
    const after = await transcriptOf("ada", "desk", "pay");
    expect(shown(after.messages)).toEqual(shown(chat.messages));
    expect(shown(chat.messages).at(-1)).toEqual([
      "assistant",
      [
        ["step-start", undefined, undefined],
        ["dynamic-tool", "output-available", { refunded: 5 }],
        ["step-start", undefined, undefined],
        ["text", "done", "Here is what you asked for."],
        ["data-receipt", undefined, expect.anything()],
      ],
    ]);
  });
});

describe("a page that is loaded again", () => {
  const streamOf = (person: Person, agent: string, id: string, query = "") =>
    sample.ask(person, `/v1/chats/${agent}/${id}/stream${query}`);

  test("is told nothing while all is at rest, and the last turn when it missed it", async () => {
    expect((await streamOf("ada", "chat", "never")).status).toBe(204);
    const { chat } = openChat("ada", "chat", "rest");
    await chat.sendMessage({ text: "hello" });
    expect((await streamOf("ada", "chat", "rest")).status).toBe(204);
    const { sequence } = await transcriptOf("ada", "chat", "rest");
    expect((await streamOf("ada", "chat", "rest", `?seen=${sequence}`)).status).toBe(204);
    const late = await streamOf("ada", "chat", "rest", "?seen=1");
    expect(late.status).toBe(200);
    expect(late.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    expect(late.text).toMatch(/Here is what you asked for.*data: \[DONE\]\n\n$/s);
  });

  test("finds the words that are being written, and hears the rest", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = await openSampleServer({ model: deskModel(() => gate.promise) });
    const transport = () =>
      new DefaultChatTransport({
        api: `${slow.url}/v1/chats/chat`,
        headers: { authorization: `Bearer ${KEYS.ada}` },
      });
    const first = new Chat({ id: "slow", transport: transport() });
    const sent = first.sendMessage({ text: "hello" });
    const partOf = (chat: Chat<UIMessage>) => chat.lastMessage?.parts.at(1);
    await expect.poll(() => partOf(first)).toMatchObject({ text: "Here ", state: "streaming" });
    const { json } = await slow.ask("ada", "/v1/chats/chat/slow/messages");
    const second = new Chat({ id: "slow", transport: transport(), messages: json.messages });
    const resumed = second.resumeStream();
    await expect.poll(() => partOf(second)).toMatchObject({ text: "Here ", state: "streaming" });
    gate.resolve();
    await Promise.all([sent, resumed]);
    expect(shown(second.messages)).toEqual(shown(first.messages));
    await slow.close();
  });
});

test("a turn is stopped when it is told to, and what was only written is taken back", async () => {
  const slow = await openSampleServer({ model: deskModel(() => new Promise(() => {})) });
  const chat = new Chat({
    id: "stop",
    transport: new DefaultChatTransport({
      api: `${slow.url}/v1/chats/chat`,
      headers: { authorization: `Bearer ${KEYS.ada}` },
    }),
  });
  const sent = chat.sendMessage({ text: "hello" });
  await expect.poll(() => chat.lastMessage?.parts.at(1)).toMatchObject({ text: "Here " });
  expect((await slow.ask("ada", "/v1/chats/chat/stop/stop", {})).status).toBe(202);
  await sent;
  const types = chat.lastMessage?.parts.map(({ type }) => type);
  expect(types).toEqual(["step-start", "data-stopped", "data-receipt"]);
  const { json } = await slow.ask("ada", "/v1/chats/chat/stop/messages");
  expect(shown(json.messages)).toEqual(shown(chat.messages));
  await slow.close();
});

test("a no is told to the loop or ends the run, and shows as denied", async () => {
  const { chat } = openChat("ada", "desk", "no");
  await chat.sendMessage({ text: "refund A-2 7" });
  const [, tool] = chat.lastMessage?.parts ?? [];
  if (tool?.type !== "dynamic-tool" || tool.approval === undefined) throw new Error("no tool");
  await chat.addToolApprovalResponse({ id: tool.approval.id, approved: false, reason: "no" });
  await expect.poll(() => chat.lastMessage?.parts.at(-1)?.type).toBe("data-receipt");
  expect(chat.lastMessage?.parts[1]).toMatchObject({ state: "output-denied" });
  expect(sample.made).not.toContainEqual({ order: "A-2", cents: 7 });
  const { messages } = await transcriptOf("ada", "desk", "no");
  expect(shown(messages)).toEqual(shown(chat.messages));
});

describe("a decision after another", () => {
  const openAsked = async (id: string) => {
    const { chat } = openChat("ada", "desk", id);
    await chat.sendMessage({ text: `refund ${id} 7` });
    const [, tool] = chat.lastMessage?.parts ?? [];
    if (tool?.type !== "dynamic-tool" || tool.approval === undefined) throw new Error("no tool");
    const approval = tool.approval.id;
    const other = openChat("ada", "desk", id).chat;
    other.messages = (await transcriptOf("ada", "desk", id)).messages;
    return { chat, other, approval };
  };
  const lateOf = ({ lastMessage }: Chat<UIMessage>) =>
    lastMessage?.parts.flatMap((part) => (part.type === "data-late" ? [part.data] : []));
  const isOver = ({ lastMessage }: Chat<UIMessage>) =>
    lastMessage?.parts.some(({ type }) => type === "data-receipt");

  test.each([
    [true, false, "approved"],
    [false, true, "denied"],
  ])("is said to be late: %s, then %s", async (first, second, word) => {
    const { chat, other, approval } = await openAsked(`late-${first}`);
    await chat.addToolApprovalResponse({ id: approval, approved: first });
    await expect.poll(() => isOver(chat)).toBe(true);
    expect(lateOf(chat)).toEqual([]);
    await other.addToolApprovalResponse({ id: approval, approved: second });
    await expect.poll(() => isOver(other)).toBe(true);
    const words = `Your decision came too late: this was ${word} by ada.`;
    expect(lateOf(other)).toEqual([{ approval, words }]);
  });

  test("is not late where both say the same", async () => {
    const { chat, other, approval } = await openAsked("twice");
    await chat.addToolApprovalResponse({ id: approval, approved: false });
    await expect.poll(() => isOver(chat)).toBe(true);
    await other.addToolApprovalResponse({ id: approval, approved: false });
    await expect.poll(() => isOver(other)).toBe(true);
    expect(lateOf(other)).toEqual([]);
  });
});

test("a file comes with the words, as a data URL", async () => {
  const { chat, errors } = openChat("ada", "chat", "file");
  const url = `data:image/png;base64,${samplePng}`;
  const files = [{ type: "file" as const, mediaType: "image/png", filename: "dot.png", url }];
  await chat.sendMessage({ text: "look", files });
  expect(errors).toEqual([]);
  const { messages } = await transcriptOf("ada", "chat", "file");
  expect(messages[0].parts).toMatchObject([
    { type: "file", mediaType: "image/png", filename: "dot.png" },
    { type: "text", text: "look" },
  ]);
  const { status, headers } = await sample.ask("ada", messages[0].parts[0].url);
  expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
});
