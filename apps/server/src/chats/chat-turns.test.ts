// A page gets the answer to its own message, also if others send messages to the run.
import type { Model } from "@turnseal/ports";
import { afterEach, expect, test } from "vitest";
import { deskModel, openSampleServer, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer | undefined;
afterEach(() => sample?.close());

/** A model that repeats its words, and waits with each answer until it is let go. */
function openEcho() {
  const waiting: (() => void)[] = [];
  const model: Model = {
    ...deskModel(),
    generate: async ({ messages, signal }) => {
      const last = messages.at(-1);
      const text = `answer to ${last?.role === "user" ? last.text : ""}`;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => resolve());
      });
      signal.throwIfAborted();
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { content: [{ kind: "text", text }], finishReason: "stop", usage };
    },
  };
  return { model, waiting };
}

async function open(agent = "asking") {
  const { model, waiting } = openEcho();
  sample = await openSampleServer({ model });
  const { ask } = sample;
  const say = async (text: string, message = text) =>
    ask("ada", `/v1/chats/${agent}`, {
      ...{ id: "c", trigger: "submit-message" },
      messages: [{ id: message, role: "user", parts: [{ type: "text", text }] }],
    });
  const letGo = async (): Promise<void> => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  };
  return { sample, say, letGo, waiting };
}

const turnOf = (text: string): string | undefined => /"messageId":"[^"]*\/(\d+)"/.exec(text)?.[1];

test("messages of several pages during a turn are each answered by their own turn", async () => {
  const { say, letGo, waiting } = await open();
  const first = say("zero");
  await expect.poll(() => waiting.length).toBe(1);
  const words = ["one", "two", "three"];
  const told = words.map((text) => say(text));
  // All are in before the first turn ends.
  await expect
    .poll(async () => (await sample?.hosts.alpha.stores.inbox.peek(await runOf()))?.length)
    .toBe(3);
  for (const _ of [0, ...words]) await letGo();
  expect((await first).text).toContain("answer to zero");
  const turns: (string | undefined)[] = [];
  for (const [index, text] of (await Promise.all(told)).map(({ text }) => text).entries()) {
    expect(text).toContain(`answer to ${words[index]}`);
    for (const other of words.filter((word) => word !== words[index]))
      expect(text).not.toContain(`answer to ${other}`);
    turns.push(turnOf(text));
  }
  expect(turns.toSorted()).toEqual(["2", "3", "4"]);
});

test("a message that is sent again later is answered by the turn that took it", async () => {
  const { say, letGo } = await open();
  const send = async (text: string) => {
    const told = say(text);
    await letGo();
    return (await told).text;
  };
  for (const text of ["zero", "one", "two", "three"]) await send(text);
  const again = (await say("one")).text;
  expect(turnOf(again)).toBe("2");
  expect(again).toContain("answer to one");
});

test("a message that its run never takes ends the stream with the reason", async () => {
  const { say, sample: server } = await open();
  const first = say("zero");
  const run = await runOf();
  const told = say("one");
  await expect.poll(async () => (await server.hosts.alpha.stores.inbox.peek(run)).length).toBe(1);
  await server.ask("ada", `/v1/runs/${run}/cancel`, {});
  expect((await told).text).toContain("the run ended before it took the message");
  await first;
});

test("a message that starts no turn is recorded, and the page learns so", async () => {
  const { say, letGo } = await open("hearing");
  const first = say("zero");
  await letGo();
  await first;
  expect((await say("one")).text).toContain("the agent takes no turn for a message");
});

/** The only run, once it has begun. */
async function runOf(): Promise<string> {
  const list = async () => (await sample?.ask("ada", "/v1/runs"))?.json.runs;
  await expect.poll(async () => (await list()).length).toBe(1);
  return String((await list())[0].run);
}
