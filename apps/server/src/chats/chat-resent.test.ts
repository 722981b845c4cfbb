// A page with a lost connection sends its message again: it counts once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSampleServer, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer();
});
afterAll(async () => {
  await sample.close();
});

const say = (id: string, text: string, message: string) =>
  sample.ask("ada", "/v1/chats/chat", {
    ...{ id, trigger: "submit-message" },
    messages: [{ id: message, role: "user", parts: [{ type: "text", text }] }],
  });

/** The words of ada in the chat, once it is at rest. */
async function readWords(id: string, count: number): Promise<string[]> {
  const read = async () => {
    const { json } = await sample.ask("ada", `/v1/chats/chat/${id}/messages`);
    const said = json.messages.filter(({ role }: { role: string }) => role === "user");
    return said.map(({ parts }: { parts: { text: string }[] }) => parts[0]?.text);
  };
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count);
  expect((await sample.ask("ada", `/v1/chats/chat/${id}/stream`)).status).toBe(204);
  return read();
}

test("the first words, sent again, are answered by the turn that they began", async () => {
  const first = await say("again", "hello", "m1");
  const second = await say("again", "hello", "m1");
  expect(second.status).toBe(200);
  expect(second.text).toContain('"type":"start"');
  const turnOf = (text: string) => /"messageId":"([^"]*)"/.exec(text)?.[1];
  expect(turnOf(first.text)).toMatch(/\/1$/);
  expect(turnOf(second.text)).toBe(turnOf(first.text));
  expect(await readWords("again", 1)).toEqual(["hello"]);
});

test("the first words, sent again after later ones, are not said again", async () => {
  await say("later", "hello", "m1");
  await say("later", "and now?", "m2");
  await say("later", "hello", "m1");
  await say("later", "and now?", "m2");
  expect(await readWords("later", 2)).toEqual(["hello", "and now?"]);
});

test("the first words, sent several times at once, are said once", async () => {
  await Promise.all([1, 2, 3, 4].map(() => say("at-once", "hello", "m1")));
  expect(await readWords("at-once", 1)).toEqual(["hello"]);
});

test("the same words in another message are said again", async () => {
  await say("twice", "hello", "m1");
  await say("twice", "hello", "m2");
  expect(await readWords("twice", 2)).toEqual(["hello", "hello"]);
});

test("of first words of two tabs, those of the second come after, and once", async () => {
  await Promise.all([say("tabs", "one", "m1"), say("tabs", "two", "m2")]);
  await Promise.all([say("tabs", "one", "m1"), say("tabs", "two", "m2")]);
  expect((await readWords("tabs", 2)).toSorted()).toEqual(["one", "two"]);
});
