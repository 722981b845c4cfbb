import type { JsonValue } from "@turnseal/protocol";
import type { EventEnvelope } from "@turnseal/protocol/events";
import { parseEnvelope } from "@turnseal/protocol/events";
import { describe, expect, test } from "vitest";
import { settle } from "../../scenarios/sample-world.test.data.ts";
import { askFor, askToSave, type Chat, type ChatOptions, openChat } from "./chat.test.data.ts";
import {
  openSession,
  readSession,
  SESSION_PAGE_BYTES_MAX,
  SESSION_PAGE_MAX,
} from "./read-session.ts";

async function drive(options: ChatOptions): Promise<{ readonly chat: Chat; readonly run: string }> {
  const chat = openChat(options);
  const run = await chat.start();
  await chat.host.advance(run);
  return { chat, run };
}

const look = (at: number) => ["local__look", { at }] as const;

test("a conversation is a message, an answer, and nothing else", async () => {
  const { chat, run } = await drive({ replies: ["Good day"] });
  expect(await chat.told(run)).toEqual([
    ["user-message", { text: "Hello" }],
    ["assistant-message", { text: "Good day" }],
  ]);
});

test("every envelope passes the check of the wire, and has its place", async () => {
  const { chat, run } = await drive({ replies: [askFor(look(1)), "done"] });
  const session = await chat.session(run);
  expect(session).toHaveLength(4);
  for (const envelope of session) expect(parseEnvelope(envelope).kind).toBe("parsed");
  expect(session[0]).toMatchObject({ id: `${run}/1.0`, run, sequence: 1 });
  expect(session[0]).not.toHaveProperty("generationId");
  expect(session[1]).toMatchObject({ generationId: `${run}/1` });
});

test("thoughts, words and a call of one answer are told in its order", async () => {
  const call = {
    kind: "tool-call",
    toolCallId: "a",
    toolName: "local__look",
    input: "{}",
  } as const;
  const thought = { kind: "reasoning", text: "hm" } as const;
  const words = { kind: "text", text: "I look" } as const;
  const { chat, run } = await drive({ replies: [{ content: [thought, words, call] }, "done"] });
  const session = await chat.session(run);
  expect(session.map(({ type }) => type)).toEqual([
    ...["user-message", "reasoning", "assistant-message"],
    ...["tool-call", "tool-result", "assistant-message"],
  ]);
  const [, reasoning, message, asked, result] = session;
  expect(reasoning?.message).toMatch(/^[0-9a-f]{64}\.0$/);
  expect(message?.message).toBe(reasoning?.message?.replace(/0$/, "1"));
  expect(asked?.content).toEqual({
    ...{ toolCallId: "a@7", toolName: "local__look", args: {}, readOnly: true },
  });
  expect(asked?.message).toMatch(/^[0-9a-f]{64}$/);
  expect(result).toMatchObject({ message: asked?.message, content: { toolCallId: "a@7" } });
});

test("what an answer rests on stands beside its last words", async () => {
  const sources = [
    { id: "1", url: "https://example.com/oslo", title: "Oslo" },
    { id: "2", title: "Rules", mediaType: "application/pdf", filename: "rules.pdf" },
  ];
  const [first, second] = sources.map((source) => ({ kind: "source", ...source }) as const);
  const words = ["Oslo", "is cold"].map((text) => ({ kind: "text", text }) as const);
  const content = [...words.slice(0, 1), first, second, ...words.slice(1)];
  const { chat, run } = await drive({
    replies: [{ content: content.filter((part) => part !== undefined) }],
  });
  const session = await chat.session(run);
  const said = session.filter(({ type }) => type === "assistant-message");
  expect(said.map((each) => each.content)).toEqual([
    { text: "Oslo" },
    { text: "is cold", sources },
  ]);
});

describe("tool calls", () => {
  test("of two answers have different ids, also where the provider gave one", async () => {
    const { chat, run } = await drive({ replies: [askFor(look(1)), askFor(look(2)), "done"] });
    const ids = (await chat.session(run)).flatMap((each) =>
      each.type === "tool-call" ? [each.content.toolCallId] : [],
    );
    expect(new Set(ids).size).toBe(2);
    expect(ids.map((id) => id.split("@")[0])).toEqual(["call-0", "call-0"]);
  });

  test("that fail, name nothing or have no arguments end with one error each", async () => {
    const { chat, run } = await drive({
      replies: [
        {
          content: [
            { kind: "tool-call", toolCallId: "a", toolName: "local__look", input: "{}" },
            { kind: "tool-call", toolCallId: "b", toolName: "local__nope", input: "{}" },
            { kind: "tool-call", toolCallId: "c", toolName: "local__look", input: "{at:" },
            { kind: "tool-call", toolCallId: "d", toolName: "local__look", input: "7" },
          ],
        },
        "done",
      ],
      look: () => {
        throw new Error("it is dark");
      },
    });
    const errors = (await chat.session(run)).flatMap((each) =>
      each.type === "tool-error" ? [each.content] : [],
    );
    expect(errors.sort((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))).toEqual([
      { toolCallId: "a@7", toolName: "local__look", error: "TOOL_FAILED: it is dark" },
      { toolCallId: "b@7", toolName: "local__nope", error: "TOOL_UNKNOWN" },
      { toolCallId: "c@7", toolName: "local__look", error: "ARGUMENTS_NOT_JSON" },
      {
        ...{ toolCallId: "d@7", toolName: "local__look" },
        error: "INPUT_VALIDATION_FAILED\n- : must be object",
      },
    ]);
    expectPairs(await chat.session(run));
  });

  test("that a person must allow wait, and are executed when they do", async () => {
    const { chat, run } = await drive({
      replies: [askFor(["local__save", { a: 1 }]), "done"],
      policy: askToSave,
    });
    const pending = (await chat.told(run)).at(-1);
    expect(pending).toEqual([
      "tool-call",
      {
        ...{ toolCallId: "call-0@7", toolName: "local__save", args: { a: 1 }, readOnly: false },
        ...{ approvalStatus: "pending_approval", approvalDescription: "Run local__save?" },
      },
    ]);
    await decide(chat, run, "approve");
    const told = (await chat.told(run)).slice(2);
    expect(told.map(([type]) => type)).toEqual(["tool-call", "tool-result", "assistant-message"]);
    expect(told[0]?.[1]).toMatchObject({ approvalStatus: "approved" });
    expect(chat.saved).toEqual([{ a: 1 }]);
  });

  test("that a person refuses end as rejected, and the conversation goes on", async () => {
    const { chat, run } = await drive({
      replies: [askFor(["local__save", { a: 1 }]), "As you wish"],
      policy: askToSave,
    });
    await decide(chat, run, "reject");
    expect((await chat.told(run)).slice(2)).toEqual([
      ["tool-call", expect.objectContaining({ approvalStatus: "rejected" })],
      [
        "tool-error",
        {
          ...{ toolCallId: "call-0@7", toolName: "local__save", error: "POLICY_DENIED" },
          isUserRejection: true,
        },
      ],
      ["assistant-message", { text: "As you wish" }],
    ]);
    expect(chat.saved).toEqual([]);
  });

  test("whose arguments a person changes are shown again with those", async () => {
    const { chat, run } = await drive({
      replies: [askFor(["local__save", { a: 1 }]), "done"],
      policy: askToSave,
    });
    await decide(chat, run, "edit", { a: 2 });
    expect((await chat.told(run)).at(-1)?.[1]).toMatchObject({
      ...{ args: { a: 2 }, approvalStatus: "pending_approval" },
    });
    await decide(chat, run, "approve");
    expect(chat.saved).toEqual([{ a: 2 }]);
    expectPairs(await chat.session(run));
  });
});

test("another agent's answer is its message, and the result of the call", async () => {
  const { chat, run } = await drive({
    replies: [askFor(["turnseal__question", { what: "why" }]), "done"],
  });
  const [question] = await chat.host.requests(run);
  await chat.host.answer(run, question?.id ?? "", {
    answer: { text: "because" },
    by: { id: "bot", roles: [] },
  });
  await chat.host.advance(run);
  expect((await chat.told(run)).slice(1)).toEqual([
    ["tool-call", expect.objectContaining({ args: { what: "why" }, readOnly: true })],
    ["other-agent-message", { text: "because" }],
    ["tool-result", expect.objectContaining({ result: { text: "because" } })],
    ["assistant-message", { text: "done" }],
  ]);
});

test("a signal is a trigger, and one that is called message is a person's", async () => {
  const chat = openChat({ replies: ["done"] });
  const run = await chat.start();
  await chat.host.signal(run, { name: "mail", payload: { from: "bob" }, key: "1", by: "hook" });
  await chat.host.signal(run, { name: "message", payload: { text: "Hi" }, key: "2", by: "ada" });
  await chat.host.advance(run);
  expect(await chat.told(run)).toEqual([
    ["user-message", { text: "Hello" }],
    ["trigger", { triggerName: "mail", payload: { from: "bob" } }],
    ["user-message", { text: "Hi" }],
    ["assistant-message", { text: "done" }],
  ]);
});

test("a backend that fails is a failure of the generation", async () => {
  const chat = openChat({ replies: Array.from({ length: 9 }, () => ({ failure: "its words" })) });
  const run = await chat.start();
  const advanced = chat.host.advance(run);
  // Each failure is tried again, after a while.
  for (let tries = 0; tries < 3; tries++) {
    await settle();
    chat.clock.advance(1_000);
  }
  await advanced;
  const [, failure] = await chat.told(run);
  expect(failure?.[0]).toBe("generation-failure");
  expect(failure?.[1]).toMatchObject({ error: expect.stringMatching(/^BACKEND_FAILED: /) });
  expect(JSON.stringify(failure)).not.toContain("its words");
});

test("what a person stops is aborted, and says nothing after that", async () => {
  const chat = openChat({ replies: [askFor(look(1)), "too late"], look: () => cancel() });
  const run = await chat.start();
  const cancel = async (): Promise<JsonValue> => {
    await chat.host.cancel(run, { key: "stop", by: "ada" });
    chat.clock.advance(1_000);
    return new Promise(() => {});
  };
  await chat.host.advance(run);
  const told = await chat.told(run);
  expect(told.map(([type]) => type)).toEqual([
    ...["user-message", "tool-call", "user-abort", "tool-error"],
  ]);
  expect(told[2]?.[1]).toEqual({ generationId: `${run}/1` });
  expect(told[3]?.[1]).toMatchObject({ error: "CANCELLED" });
});

describe("reading", () => {
  const replies = [askFor(look(1), look(2), ["local__nope", {}]), askFor(look(3)), "done"];

  test("may begin after any envelope, and gives exactly what follows", async () => {
    const { chat, run } = await drive({ replies });
    const session = await chat.session(run);
    expect(session.length).toBeGreaterThan(9);
    for (const [index, { id }] of session.entries()) {
      const page = await readSession(chat.stores, run, { after: id });
      expect(page?.envelopes).toEqual(session.slice(index + 1));
    }
  });

  test("in pages of any size gives the same session", async () => {
    const { chat, run } = await drive({ replies });
    const session = await chat.session(run);
    for (const limit of [1, 2, 3, 5]) {
      const opened = await openSession(chat.stores, run);
      if (opened.kind === "refused") throw new Error("it is a place");
      const read: EventEnvelope[] = [];
      for (;;) {
        const { envelopes, isEnd } = await opened.reader.read(limit);
        expect(envelopes.length).toBeLessThanOrEqual(limit);
        read.push(...envelopes);
        if (isEnd) break;
      }
      expect(read).toEqual(session);
    }
  });

  test("of a second turn does not need the first", async () => {
    const bounds = { turnsMax: 3, goal: { path: "$.text", equals: "never" } };
    const { chat, run } = await drive({ replies: [...replies, ...replies], bounds });
    const session = await chat.session(run);
    const second = session.findIndex(({ generationId }) => generationId === `${run}/2`);
    expect(second).toBeGreaterThan(0);
    const reads: number[] = [];
    const log = {
      ...chat.stores.log,
      read: (of: string, from: number, limit?: number) => {
        reads.push(from);
        return chat.stores.log.read(of, from, limit);
      },
    };
    const place = session[second + 2];
    const page = await readSession({ ...chat.stores, log }, run, { after: place?.id ?? "" });
    expect(page?.envelopes).toEqual(session.slice(second + 3));
    expect(reads.length).toBeLessThan(4);
  });

  test("goes on with what has happened since", async () => {
    const chat = openChat({ replies: [askFor(["local__save", 1]), "done"], policy: askToSave });
    const run = await chat.start();
    await chat.host.advance(run);
    const opened = await openSession(chat.stores, run);
    if (opened.kind === "refused") throw new Error("it is a place");
    const first = await opened.reader.read();
    expect(first).toMatchObject({ isEnd: true, standing: "waiting" });
    expect((await opened.reader.read()).envelopes).toEqual([]);
    await decide(chat, run, "approve");
    const second = await opened.reader.read();
    expect(second.standing).toBe("stopped");
    expect([...first.envelopes, ...second.envelopes]).toEqual(await chat.session(run));
  });

  test.each(["", "nonsense", "11111111-1111-4111-8111-111111111111/1.0"])(
    "after %j, which is no place of the run, is refused",
    async (after) => {
      const { chat, run } = await drive({ replies: ["done"] });
      expect(await readSession(chat.stores, run, { after })).toBeUndefined();
      expect(await openSession(chat.stores, run, { after })).toEqual({ kind: "refused" });
    },
  );

  test("after a place that is not there yet waits for it", async () => {
    const { chat, run } = await drive({ replies: ["done"] });
    const page = await readSession(chat.stores, run, { after: `${run}/900.0` });
    expect(page).toMatchObject({ envelopes: [], isEnd: true });
  });

  test("of an erased run shows what happened, and says that the content is gone", async () => {
    const { chat, run } = await drive({ replies });
    await chat.stores.blobs.erase(run);
    const session = await chat.session(run);
    expect(session[0]).toMatchObject({ content: { text: "" }, erased: true });
    expect(JSON.stringify(session)).not.toContain("Hello");
    expect(session.every(({ erased }) => erased === true)).toBe(true);
    for (const envelope of session) expect(parseEnvelope(envelope).kind).toBe("parsed");
  });
});

describe("a page", () => {
  test("has at most SESSION_PAGE_MAX envelopes", async () => {
    const chat = openChat({ replies: ["done"] });
    const run = await chat.start();
    for (let index = 0; index < SESSION_PAGE_MAX; index++)
      await chat.host.signal(run, { name: "tick", payload: index, key: `${index}`, by: "hook" });
    await chat.host.advance(run);
    const page = await readSession(chat.stores, run, { limit: SESSION_PAGE_MAX + 1 });
    expect(page?.envelopes).toHaveLength(SESSION_PAGE_MAX);
    expect(page?.isEnd).toBe(false);
    const rest = await readSession(chat.stores, run, { after: page?.envelopes.at(-1)?.id ?? "" });
    expect(rest?.envelopes).toHaveLength(2);
  });

  test("ends when SESSION_PAGE_BYTES_MAX bytes of content are in it", async () => {
    const text = "x".repeat(Math.ceil(SESSION_PAGE_BYTES_MAX / 5));
    const chat = openChat({ replies: ["done"] });
    const run = await chat.start();
    for (const key of ["a", "b", "c", "d", "e", "f"])
      await chat.host.signal(run, { name: "message", payload: { text }, key, by: "ada" });
    await chat.host.advance(run);
    const page = await readSession(chat.stores, run);
    expect(page?.envelopes).toHaveLength(6);
    expect(page?.isEnd).toBe(false);
  });
});

async function decide(
  chat: Chat,
  run: string,
  choice: "approve" | "reject" | "edit",
  edited?: JsonValue,
): Promise<void> {
  const [request] = await chat.host.requests(run);
  await chat.host.decide(run, request?.id ?? "", {
    choice,
    by: { id: "ada", roles: [] },
    ...(edited === undefined ? {} : { arguments: edited }),
  });
  await chat.host.advance(run);
}

/** Every tool call that was shown ended once, and nothing ended that was not shown. */
function expectPairs(session: readonly EventEnvelope[]): void {
  const open = new Set<string>();
  const ended = new Set<string>();
  for (const { type, content } of session) {
    if (type === "tool-call") open.add(content.toolCallId);
    if (type !== "tool-result" && type !== "tool-error") continue;
    expect(open).toContain(content.toolCallId);
    expect(ended).not.toContain(content.toolCallId);
    ended.add(content.toolCallId);
  }
  expect(ended).toEqual(open);
}
